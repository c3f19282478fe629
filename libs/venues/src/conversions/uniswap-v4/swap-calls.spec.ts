import { describe, expect, it } from '@jest/globals';
import {
  decodeAbiParameters,
  decodeFunctionData,
  erc20Abi,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import { routerParameters, universalRouterAbi } from './abi.js';
import { formChangeCount, swapCalls } from './swap-calls.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [INPUT, OUTPUT, WRAPPED, ROUTER, CONVERTER] = ['1', '2', '3', '4', '5'].map(token) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const NATIVE = zeroAddress;
const ROUTER_ITSELF: Address = '0x0000000000000000000000000000000000000002';
const WHOLE_BALANCE = 2n ** 255n;
const KIND = { fee: 500, tickSpacing: 10 };

const callsOf = (inputToken: Address, outputToken: Address, tokens: Address[]) =>
  swapCalls({
    request: { inputToken, outputToken, amountIn: 100n },
    path: { tokens, pools: tokens.slice(1).map(() => KIND) },
    router: ROUTER,
    converter: CONVERTER,
    minOutput: 90n,
  });

/** Commands of the last call, and their parameters. */
function commandsOf(calls: { data: Hex }[]): [Hex, readonly Hex[]] {
  const { args } = decodeFunctionData({
    abi: universalRouterAbi,
    data: calls.at(-1)?.data ?? '0x',
  });
  return [args[0], args[1]];
}

/** Decodes the actions of a swap. */
function swapOf(parameters: Hex | undefined) {
  const [actions, values] = decodeAbiParameters(routerParameters.v4Swap, parameters ?? '0x');
  const [settle, swap, take] = values;
  return {
    actions,
    settle: decodeAbiParameters(routerParameters.settle, settle ?? '0x'),
    swap: decodeAbiParameters(routerParameters.swapExactInput, swap ?? '0x')[0],
    take: decodeAbiParameters(routerParameters.take, take ?? '0x'),
  };
}

describe('swapCalls', () => {
  it('transfers exactly the input to the router and swaps all of it to the Converter', () => {
    const calls = callsOf(INPUT, OUTPUT, [INPUT, WRAPPED, OUTPUT]);
    expect(calls.map(({ target, value }) => [target, value])).toEqual([
      [INPUT, 0n],
      [ROUTER, 0n],
    ]);
    expect(decodeFunctionData({ abi: erc20Abi, data: calls[0]?.data ?? '0x' })).toEqual({
      functionName: 'transfer',
      args: [ROUTER, 100n],
    });
    const [commands, [swap]] = commandsOf(calls);
    expect(commands).toBe('0x10');
    const pool = { ...KIND, hooks: zeroAddress, hookData: '0x' };
    expect(swapOf(swap)).toEqual({
      actions: '0x0b070e',
      settle: [INPUT, WHOLE_BALANCE, false],
      swap: {
        currencyIn: INPUT,
        path: [
          { intermediateCurrency: WRAPPED, ...pool },
          { intermediateCurrency: OUTPUT, ...pool },
        ],
        minHopPriceX36: [],
        amountIn: 0n,
        amountOutMinimum: 90n,
      },
      take: [OUTPUT, CONVERTER, 0n],
    });
  });

  it.each([
    ['keeps native currency that pools take and give', NATIVE, OUTPUT, NATIVE, OUTPUT, '0x10'],
    ['keeps the wrapped form that pools take and give', WRAPPED, OUTPUT, WRAPPED, OUTPUT, '0x10'],
    [
      'wraps native currency for pools of the wrapped form',
      NATIVE,
      OUTPUT,
      WRAPPED,
      OUTPUT,
      '0x0b10',
    ],
    ['unwraps for pools of native currency', WRAPPED, OUTPUT, NATIVE, OUTPUT, '0x0c10'],
    ['wraps what pools of native currency give', INPUT, WRAPPED, INPUT, NATIVE, '0x100b'],
    ['unwraps what pools of the wrapped form give', INPUT, NATIVE, INPUT, WRAPPED, '0x100c'],
  ])('%s', (_, inputToken, outputToken, currencyIn, currencyOut, expected) => {
    const calls = callsOf(inputToken, outputToken, [currencyIn, currencyOut]);
    const [commands] = commandsOf(calls);
    expect(commands).toBe(expected);
    const isNative = inputToken === NATIVE;
    expect(calls.map(({ value }) => value)).toEqual(isNative ? [100n] : [0n, 0n]);
    const path = { tokens: [currencyIn, currencyOut], pools: [KIND] };
    const changes = formChangeCount({ request: { inputToken, outputToken }, path });
    expect(changes).toBe(BigInt(commands.length / 2 - 2));
  });

  it('leaves nothing with the router: before the swap it keeps all, after it the Converter gets all', () => {
    const [, [wrapped]] = commandsOf(callsOf(NATIVE, OUTPUT, [WRAPPED, OUTPUT]));
    expect(decodeAbiParameters(routerParameters.wrap, wrapped ?? '0x')).toEqual([
      ROUTER_ITSELF,
      WHOLE_BALANCE,
    ]);
    const [, [swap, unwrapped]] = commandsOf(callsOf(INPUT, NATIVE, [INPUT, WRAPPED]));
    expect(swapOf(swap).take).toEqual([WRAPPED, ROUTER_ITSELF, 0n]);
    expect(decodeAbiParameters(routerParameters.unwrap, unwrapped ?? '0x')).toEqual([
      CONVERTER,
      90n,
    ]);
    const [, [, wrappedOutput]] = commandsOf(callsOf(INPUT, WRAPPED, [INPUT, NATIVE]));
    expect(decodeAbiParameters(routerParameters.wrap, wrappedOutput ?? '0x')).toEqual([
      CONVERTER,
      WHOLE_BALANCE,
    ]);
  });
});

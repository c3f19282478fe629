import type { Call } from '@bascule/solidity';
import {
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  erc20Abi,
  numberToHex,
  zeroAddress,
  type Address,
  type Hex,
} from 'viem';
import type { ConversionRequest, ConvertedTokens } from '../venue.js';
import { routerParameters, universalRouterAbi } from './abi.js';
import { pathKeysFromInput, type CurrencyPath } from './pools.js';

/** Commands of the Universal Router. */
const COMMAND = { wrap: 0x0b, unwrap: 0x0c, v4Swap: 0x10 };
/** Actions of the command `v4Swap`. */
const ACTION = { swapExactInput: 0x07, settle: 0x0b, take: 0x0e };

/** The router's placeholder for itself as recipient. */
const ROUTER_ITSELF: Address = '0x0000000000000000000000000000000000000002';
/** The router's placeholder for its whole balance. */
const WHOLE_BALANCE = 2n ** 255n;
/** The router's placeholder for all that the pools owe it. */
const ALL_OWED = 0n;

/** Command or action, and its parameters. */
type Step = readonly [number, Hex];

interface Swap {
  request: ConversionRequest;
  /** Between currencies of pools: native currency or its wrapped form, whichever the pools have. */
  path: CurrencyPath;
  router: Address;
  converter: Address;
  minOutput: bigint;
}

const wrap = (recipient: Address): Step => [
  COMMAND.wrap,
  encodeAbiParameters(routerParameters.wrap, [recipient, WHOLE_BALANCE]),
];

const unwrap = (recipient: Address, minimum: bigint): Step => [
  COMMAND.unwrap,
  encodeAbiParameters(routerParameters.unwrap, [recipient, minimum]),
];

const bytesOf = (steps: readonly Step[]): Hex =>
  concat(steps.map(([step]) => numberToHex(step, { size: 1 })));
const parametersOf = (steps: readonly Step[]): Hex[] => steps.map(([, parameters]) => parameters);

/** Swaps all that the router holds of the first currency. A pool that takes only a part makes the call fail. */
function v4Swap({ path, minOutput }: Swap, recipient: Address): Step {
  const currencyIn = path.tokens.at(0) ?? zeroAddress;
  const currencyOut = path.tokens.at(-1) ?? zeroAddress;
  const { settle, swapExactInput, take } = routerParameters;
  const swap = {
    currencyIn,
    path: pathKeysFromInput(path),
    minHopPriceX36: [],
    amountIn: ALL_OWED,
    amountOutMinimum: minOutput,
  };
  const actions: readonly Step[] = [
    [ACTION.settle, encodeAbiParameters(settle, [currencyIn, WHOLE_BALANCE, false])],
    [ACTION.swapExactInput, encodeAbiParameters(swapExactInput, [swap])],
    [ACTION.take, encodeAbiParameters(take, [currencyOut, recipient, ALL_OWED])],
  ];
  const parameters = [bytesOf(actions), parametersOf(actions)] as const;
  return [COMMAND.v4Swap, encodeAbiParameters(routerParameters.v4Swap, parameters)];
}

type Ends = Pick<Swap, 'path'> & { request: ConvertedTokens };

/** Whether native currency is wrapped or unwrapped between the Converter and the pools, before and after the swap. */
function formChanges({ request, path }: Ends) {
  const differs = (token: Address, currency: Address | undefined) =>
    (token === zeroAddress) !== (currency === zeroAddress);
  return {
    input: differs(request.inputToken, path.tokens.at(0)),
    output: differs(request.outputToken, path.tokens.at(-1)),
  };
}

/** Number of times that the router wraps or unwraps native currency. */
export const formChangeCount = (ends: Ends): bigint =>
  BigInt(Object.values(formChanges(ends)).filter(Boolean).length);

/** Commands between what the Converter holds and gets, and what the pools take and give. */
function commandsOf(swap: Swap): Step[] {
  const { request, converter, minOutput } = swap;
  const changes = formChanges(swap);
  const recipient = changes.output ? ROUTER_ITSELF : converter;
  const toPools =
    request.inputToken === zeroAddress ? wrap(ROUTER_ITSELF) : unwrap(ROUTER_ITSELF, 0n);
  const fromPools =
    request.outputToken === zeroAddress ? unwrap(converter, minOutput) : wrap(converter);
  return [
    ...(changes.input ? [toPools] : []),
    v4Swap(swap, recipient),
    ...(changes.output ? [fromPools] : []),
  ];
}

/**
 * Builds the calls of a swap. The router gets the input by transfer and pays with it, so no allowance is needed; each
 * command uses all that the router holds, since anyone can take what stays there.
 */
export function swapCalls(swap: Swap): Call[] {
  const { router, request } = swap;
  const { inputToken, amountIn } = request;
  const commands = commandsOf(swap);
  const data = encodeFunctionData({
    abi: universalRouterAbi,
    functionName: 'execute',
    args: [bytesOf(commands), parametersOf(commands)],
  });
  if (inputToken === zeroAddress) return [{ target: router, data, value: amountIn }];
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    functionName: 'transfer',
    args: [router, amountIn],
  });
  return [
    { target: inputToken, data: transfer, value: 0n },
    { target: router, data, value: 0n },
  ];
}

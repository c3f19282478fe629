import type { Call } from '@bascule/solidity';
import { describe, expect, it } from '@jest/globals';
import { decodeFunctionData, erc20Abi, zeroAddress, type Address } from 'viem';
import { swapRouter02Abi } from './abi.js';
import { swapCalls } from './swap-calls.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [INPUT, OUTPUT, WRAPPED, ROUTER, CONVERTER] = [
  token('1'),
  token('2'),
  token('3'),
  token('4'),
  token('5'),
];
const common = { router: ROUTER, converter: CONVERTER, minOutput: 90n };

function batchOf(call: Call | undefined) {
  const batch = decodeFunctionData({ abi: swapRouter02Abi, data: call?.data ?? '0x' });
  if (batch.functionName !== 'multicall') throw new Error('expected a batch');
  return batch.args[0].map((data) => decodeFunctionData({ abi: swapRouter02Abi, data }));
}

describe('swapCalls', () => {
  it('approves exactly the input and swaps all of it to the Converter', () => {
    const calls = swapCalls({
      ...common,
      request: { inputToken: INPUT, outputToken: OUTPUT, amountIn: 100n },
      path: { tokens: [INPUT, OUTPUT], pools: [500] },
    });
    expect(calls.map((call) => [call.target, call.value])).toEqual([
      [INPUT, 0n],
      [INPUT, 0n],
      [ROUTER, 0n],
    ]);
    const approvals = calls
      .slice(0, 2)
      .map((call) => decodeFunctionData({ abi: erc20Abi, data: call.data }));
    expect(approvals.map((approval) => approval.args)).toEqual([
      [ROUTER, 0n],
      [ROUTER, 100n],
    ]);
    const swap = decodeFunctionData({ abi: swapRouter02Abi, data: calls[2]?.data ?? '0x' });
    expect(swap.functionName).toBe('exactInputSingle');
    expect(swap.args?.[0]).toMatchObject({
      recipient: CONVERTER,
      amountIn: 100n,
      amountOutMinimum: 90n,
    });
  });

  it('sends native currency instead of approving, and refunds what the pool does not take', () => {
    const calls = swapCalls({
      ...common,
      request: { inputToken: zeroAddress, outputToken: OUTPUT, amountIn: 100n },
      path: { tokens: [WRAPPED, OUTPUT], pools: [500] },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({ target: ROUTER, value: 100n });
    const [swap, refund] = batchOf(calls[0]);
    expect(swap?.args?.[0]).toMatchObject({ recipient: CONVERTER, amountIn: 100n });
    expect(refund?.functionName).toBe('refundETH');
  });

  it('unwraps the whole output at the router', () => {
    const calls = swapCalls({
      ...common,
      request: { inputToken: INPUT, outputToken: zeroAddress, amountIn: 100n },
      path: { tokens: [INPUT, OUTPUT, WRAPPED], pools: [500, 3000] },
    });
    const [swap, unwrap] = batchOf(calls[2]);
    expect(swap?.functionName).toBe('exactInput');
    expect(swap?.args?.[0]).toMatchObject({ recipient: `0x${'0'.repeat(39)}2` });
    expect(unwrap).toMatchObject({ functionName: 'unwrapWETH9', args: [90n, CONVERTER] });
  });
});

import { describe, expect, it } from '@jest/globals';
import { decodeFunctionData, erc20Abi, maxUint256, zeroAddress, type Address } from 'viem';
import { router02Abi } from './abi.js';
import { swapCalls } from './swap-calls.js';

const token = (digit: string): Address => `0x${digit.repeat(40)}`;
const [INPUT, OUTPUT, WRAPPED, ROUTER, CONVERTER] = ['1', '2', '3', '4', '5'].map(token) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

const callsOf = (inputToken: Address, outputToken: Address, tokens: Address[]) =>
  swapCalls({
    request: { inputToken, outputToken, amountIn: 100n },
    tokens,
    router: ROUTER,
    converter: CONVERTER,
    minOutput: 90n,
  });
const end = [CONVERTER, maxUint256];

describe('swapCalls', () => {
  it('approves exactly the input and swaps all of it to the Converter', () => {
    const calls = callsOf(INPUT, OUTPUT, [INPUT, WRAPPED, OUTPUT]);
    expect(calls.map(({ target, value }) => [target, value])).toEqual([
      [INPUT, 0n],
      [INPUT, 0n],
      [ROUTER, 0n],
    ]);
    const approvals = calls
      .slice(0, 2)
      .map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }));
    expect(approvals.map(({ args }) => args)).toEqual([
      [ROUTER, 0n],
      [ROUTER, 100n],
    ]);
    expect(decodeFunctionData({ abi: router02Abi, data: calls[2]?.data ?? '0x' })).toEqual({
      functionName: 'swapExactTokensForTokensSupportingFeeOnTransferTokens',
      args: [100n, 90n, [INPUT, WRAPPED, OUTPUT], ...end],
    });
  });

  it('sends native currency instead of approving', () => {
    const [swap, ...others] = callsOf(zeroAddress, OUTPUT, [WRAPPED, OUTPUT]);
    expect(others).toEqual([]);
    expect(swap).toMatchObject({ target: ROUTER, value: 100n });
    expect(decodeFunctionData({ abi: router02Abi, data: swap?.data ?? '0x' })).toEqual({
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [90n, [WRAPPED, OUTPUT], ...end],
    });
  });

  it('has the router unwrap native currency', () => {
    const swap = callsOf(INPUT, zeroAddress, [INPUT, WRAPPED]).at(-1);
    expect(decodeFunctionData({ abi: router02Abi, data: swap?.data ?? '0x' })).toEqual({
      functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
      args: [100n, 90n, [INPUT, WRAPPED], ...end],
    });
  });
});

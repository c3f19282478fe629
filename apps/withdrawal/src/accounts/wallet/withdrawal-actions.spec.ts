import { describe, expect, it } from '@jest/globals';
import { ZERO_ADDRESS } from '@bascule/chain';
import { decodeFunctionData, erc20Abi, getAddress } from 'viem';
import { describeWithdrawal, withdrawalActions } from './withdrawal-actions.js';

const recipient = getAddress('0x00000000000000000000000000000000000000aa');
const feeReceiver = getAddress('0x00000000000000000000000000000000000000ff');
const usdc = {
  address: getAddress('0x00000000000000000000000000000000000000c1'),
  symbol: 'USDC',
  decimals: 6,
  amount: 100_000_000n,
  fee: 300_000n,
};
const ether = {
  address: ZERO_ADDRESS,
  symbol: 'ETH',
  decimals: 18,
  amount: 10n ** 18n,
  fee: 10n ** 14n,
};

describe('the actions of a withdrawal', () => {
  it('send a token to the recipient, less the fee, and the fee to its receiver', () => {
    const calls = withdrawalActions([usdc], recipient, feeReceiver);
    expect(calls.map(({ target, value }) => ({ target, value }))).toEqual([
      { target: usdc.address, value: 0n },
      { target: usdc.address, value: 0n },
    ]);
    expect(calls.map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }).args)).toEqual([
      [recipient, 99_700_000n],
      [feeReceiver, 300_000n],
    ]);
  });

  it('send native currency without data', () => {
    expect(withdrawalActions([ether], recipient, feeReceiver)).toEqual([
      { target: recipient, data: '0x', value: 10n ** 18n - 10n ** 14n },
      { target: feeReceiver, data: '0x', value: 10n ** 14n },
    ]);
  });

  it('move exactly the amounts, whatever the fee', () => {
    const calls = withdrawalActions([ether, { ...ether, fee: 0n }], recipient, feeReceiver);
    expect(calls).toHaveLength(3);
    expect(calls.reduce((sum, { value }) => sum + value, 0n)).toBe(2n * 10n ** 18n);
  });

  it('are described to the owner in whole units', () => {
    const text = describeWithdrawal([usdc, ether], {
      paymentId: '0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718',
      network: 'Alphanet',
      recipient,
    });
    expect(text).toBe(
      `Withdraw 99.7 USDC, 0.9999 ETH of payment 0190b2c3-d4e5-7f60-a1b2-c3d4e5f60718 to ${recipient} on Alphanet, network fee 0.3 USDC, 0.0001 ETH.`,
    );
  });
});

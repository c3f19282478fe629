import { describe, expect, it } from '@jest/globals';
import { converterAbi, intentEscrowAbi, oneTimeWalletAbi } from '@bascule/solidity';
import { encodeErrorResult, parseAbi, zeroAddress } from 'viem';
import { revertReason } from './revert-reason.js';

const errors = parseAbi(['error Error(string)']);
const told = (message: string) =>
  encodeErrorResult({ abi: errors, errorName: 'Error', args: [message] });

describe('what a revert says about a leg', () => {
  it('is slippage when the output is below the minimum, by whoever notices', () => {
    const below = encodeErrorResult({
      abi: converterAbi,
      errorName: 'BelowMinimum',
      args: [1n, 2n],
    });
    for (const data of [below, told('Too little received')]) {
      expect(revertReason(data)).toMatchObject({ kind: 'failed', reason: 'slippage' });
    }
  });

  it('is that it was executed already', () => {
    const data = encodeErrorResult({ abi: oneTimeWalletAbi, errorName: 'LegAlreadyExecuted' });
    expect(revertReason(data)).toEqual({ kind: 'executed' });
  });

  it('is that it is over when the owner or the time ended it', () => {
    for (const errorName of ['ExecutorEnded', 'DeclarationExpired'] as const) {
      const data = encodeErrorResult({ abi: oneTimeWalletAbi, errorName });
      expect(revertReason(data)).toEqual({ kind: 'over', name: errorName });
    }
  });

  it('is that there is no room for it now when the escrow holds as much as it may', () => {
    const data = encodeErrorResult({
      abi: intentEscrowAbi,
      errorName: 'AboveCap',
      args: [zeroAddress, 1n],
    });
    expect(revertReason(data)).toMatchObject({ kind: 'full', failure: { reason: 'bridge' } });
  });

  it('is a failure with its text otherwise', () => {
    expect(revertReason(told('STF'))).toMatchObject({
      reason: 'reverted',
      message: 'The transaction would revert: STF.',
    });
    expect(revertReason('0xdeadbeef')).toMatchObject({ kind: 'failed', reason: 'reverted' });
    expect(revertReason('0x')).toMatchObject({ kind: 'failed', reason: 'reverted' });
  });
});

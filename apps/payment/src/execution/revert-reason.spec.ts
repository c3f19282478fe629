import { describe, expect, it } from '@jest/globals';
import { converterAbi, executorAbi, intentEscrowAbi, oneTimeWalletAbi } from '@bascule/solidity';
import { encodeErrorResult, parseAbi, zeroAddress } from 'viem';
import { revertReason } from './revert-reason.js';

const errors = parseAbi(['error Error(string)']);
const told = (message: string) =>
  encodeErrorResult({ abi: errors, errorName: 'Error', args: [message] });

describe('the revert reason of a leg', () => {
  it('is slippage when any contract reports an output below the minimum', () => {
    const below = encodeErrorResult({
      abi: converterAbi,
      errorName: 'BelowMinimum',
      args: [1n, 2n],
    });
    for (const data of [below, told('Too little received')]) {
      expect(revertReason(data)).toMatchObject({ kind: 'failed', reason: 'slippage' });
    }
  });

  it('is an earlier execution when the leg was executed already', () => {
    const data = encodeErrorResult({ abi: oneTimeWalletAbi, errorName: 'LegAlreadyExecuted' });
    expect(revertReason(data)).toEqual({ kind: 'executed' });
  });

  it('is the end of the declaration when the owner or its expiry ended it', () => {
    for (const errorName of ['ExecutorEnded', 'DeclarationExpired'] as const) {
      const data = encodeErrorResult({ abi: oneTimeWalletAbi, errorName });
      expect(revertReason(data)).toEqual({ kind: 'over', name: errorName });
    }
  });

  it('is no failed attempt where the executor does not know the key', () => {
    const data = encodeErrorResult({ abi: executorAbi, errorName: 'NotOperator' });
    expect(revertReason(data)).toEqual({ kind: 'over', name: 'NotOperator' });
  });

  it('is a lack of room when the escrow has reached its limit', () => {
    const data = encodeErrorResult({
      abi: intentEscrowAbi,
      errorName: 'AboveCap',
      args: [zeroAddress, 1n],
    });
    expect(revertReason(data)).toMatchObject({ kind: 'full', failure: { reason: 'bridge' } });
  });

  it('is a failure with the revert text otherwise', () => {
    expect(revertReason(told('STF'))).toMatchObject({
      reason: 'reverted',
      message: 'The transaction would revert: STF.',
    });
    expect(revertReason('0xdeadbeef')).toMatchObject({ kind: 'failed', reason: 'reverted' });
    expect(revertReason('0x')).toMatchObject({ kind: 'failed', reason: 'reverted' });
  });
});

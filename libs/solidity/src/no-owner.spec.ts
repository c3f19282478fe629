import { describe, expect, it } from '@jest/globals';
import type { Abi } from 'viem';
import { attesterOracleAbi, intentEscrowAbi, oneTimeWalletFactoryAbi } from './index.js';

const changesOf = (abi: Abi) =>
  abi.flatMap((entry) =>
    entry.type === 'function' && !['view', 'pure'].includes(entry.stateMutability)
      ? [entry.name]
      : [],
  );

describe('contracts without an owner', () => {
  it('have no function that changes their settings', () => {
    expect(changesOf(intentEscrowAbi).sort()).toEqual(
      ['bridge', 'fill', 'refund', 'refundByWallet', 'refundToWallet', 'release'].sort(),
    );
    expect(changesOf(attesterOracleAbi)).toEqual(['attest']);
    expect(changesOf(oneTimeWalletFactoryAbi)).toEqual(['deploy']);
  });
});

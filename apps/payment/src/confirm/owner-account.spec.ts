import { describe, expect, it } from '@jest/globals';
import { accountOf, ownerChains } from './owner-account.js';
import type { OwnerAccount } from './owner-account.js';

describe('accountOf', () => {
  it('knows a contract by its code', () => {
    expect(accountOf('0x6001')).toBe('contract');
    expect(accountOf('0xef0100')).toBe('contract');
  });

  it('knows that an account with an EIP-7702 delegation still signs by its key', () => {
    for (const code of [
      undefined,
      '0x',
      `0xef0100${'ab'.repeat(20)}`,
      `0xEF0100${'AB'.repeat(20)}`,
    ]) {
      expect(accountOf(code)).toBe('key');
    }
    expect(accountOf(`0xef0100${'ab'.repeat(21)}`)).toBe('contract');
  });
});

describe('ownerChains', () => {
  const of = (
    alphanet: OwnerAccount,
    betanet: OwnerAccount,
    gammanet: OwnerAccount = 'key',
    ...stated: string[]
  ) => {
    const legs = new Set(['alphanet', 'betanet']);
    const findings = Object.entries({ alphanet, betanet, gammanet }).map(([chain, account]) => ({
      chain,
      account,
    }));
    return ownerChains(findings, { legs, asked: new Set([...legs, ...stated]) });
  };

  it('lets a key sign everywhere', () => {
    expect(of('key', 'key')).toEqual({ kind: 'everywhere' });
  });

  it('lists where a contract exists, and which legs it misses', () => {
    const [alphanet, betanet, gammanet] = ['alphanet', 'betanet', 'gammanet'];
    const contract = { kind: 'contract', missing: [] };
    expect(of('contract', 'contract')).toEqual({ ...contract, chains: [alphanet, betanet] });
    expect(of('contract', 'key')).toEqual({
      ...contract,
      chains: [alphanet],
      missing: [betanet],
    });
    expect(of('key', 'key', 'contract')).toEqual({
      ...contract,
      chains: [gammanet],
      missing: [alphanet, betanet],
    });
  });

  it('does not know where a chain of the payment does not say', () => {
    const unknown = { kind: 'unknown', unreadable: ['betanet'] };
    expect(of('key', 'unreadable')).toEqual({ ...unknown, chains: [] });
    expect(of('contract', 'unreadable')).toEqual({ ...unknown, chains: ['alphanet'] });
  });

  it('refuses what is missing for certain, whatever else is not known', () => {
    expect(of('key', 'unreadable', 'contract')).toMatchObject({ missing: ['alphanet'] });
  });

  it('waits for another chain only when the owner is said to operate there', () => {
    expect(of('key', 'key', 'unreadable')).toEqual({ kind: 'everywhere' });
    expect(of('key', 'key', 'unreadable', 'gammanet')).toMatchObject({ kind: 'unknown' });
  });
});

import { describe, expect, it } from '@jest/globals';
import { accountOf, ownerChains } from './owner-account.js';
import type { OwnerAccount } from './owner-account.js';

describe('accountOf', () => {
  it('reads an account with code as a contract', () => {
    expect(accountOf('0x6001')).toBe('contract');
    expect(accountOf('0xef0100')).toBe('contract');
  });

  it('reads an account with an EIP-7702 delegation as a key', () => {
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

  it('allows a key on every chain', () => {
    expect(of('key', 'key')).toEqual({ kind: 'everywhere' });
  });

  it('lists the chains of a contract and the legs without it', () => {
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

  it('returns unknown while a chain of the payment cannot be read', () => {
    const unknown = { kind: 'unknown', unreadable: ['betanet'] };
    expect(of('key', 'unreadable')).toEqual({ ...unknown, chains: [] });
    expect(of('contract', 'unreadable')).toEqual({ ...unknown, chains: ['alphanet'] });
  });

  it('refuses a missing contract even when another chain cannot be read', () => {
    expect(of('key', 'unreadable', 'contract')).toMatchObject({ missing: ['alphanet'] });
  });

  it('waits for another chain only when the request names it', () => {
    expect(of('key', 'key', 'unreadable')).toEqual({ kind: 'everywhere' });
    expect(of('key', 'key', 'unreadable', 'gammanet')).toMatchObject({ kind: 'unknown' });
  });
});

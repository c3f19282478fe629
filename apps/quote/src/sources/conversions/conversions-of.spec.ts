import { describe, expect, it } from '@jest/globals';
import { zeroAddress, type Address } from 'viem';
import type { KnownAsset } from '../../routes/known-asset.js';
import { addressesOf, conversionsOf, tokensByChain } from './conversions-of.js';

const A: Address = `0x${'A'.repeat(40)}`;
const a = `alphanet:${A.toLowerCase() as `0x${string}`}` as const;
const native = 'alphanet:0x';
const asset = (id: `${string}:0x${string}`): KnownAsset => {
  return { kind: 'token', id, decimals: 18, chain: id.slice(0, id.indexOf(':')) };
};
const assets = (...known: KnownAsset[]) => new Map(known.map((each) => [each.id, each]));

describe('conversionsOf', () => {
  it('converts each pair both ways, once, whatever venues and letter case', () => {
    const lower = A.toLowerCase() as Address;
    const pairs = [
      [zeroAddress, A],
      [lower, zeroAddress],
    ] as const;
    expect(conversionsOf('alphanet', pairs)).toEqual([
      { inputToken: native, outputToken: a },
      { inputToken: a, outputToken: native },
    ]);
    expect(addressesOf([native, a])).toEqual([zeroAddress, lower]);
  });
});

describe('tokensByChain', () => {
  const usd: KnownAsset = { kind: 'fiat', id: 'usd', decimals: 2 };

  it('lists the tokens of each chain, and is the same list while they are', () => {
    const before = tokensByChain(assets(usd, asset(native), asset('betanet:0x')), new Map());
    expect(before.get('alphanet')).toEqual([native]);
    const after = tokensByChain(assets(asset(native), asset(a), asset('betanet:0x')), before);
    expect(after.get('alphanet')).toEqual([native, a]);
    expect(after.get('betanet')).toBe(before.get('betanet'));
  });
});

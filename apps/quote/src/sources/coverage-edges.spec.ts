import { tokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress, type Address } from 'viem';
import type { KnownAsset } from '../routes/known-asset.js';
import {
  addressesOf,
  conversionsOf,
  isOversized,
  lanesOf,
  rampsOf,
  tokensByChain,
} from './coverage-edges.js';

const A: Address = `0x${'A'.repeat(40)}`;
const a = `alphanet:${A.toLowerCase() as `0x${string}`}` as const;
const native = 'alphanet:0x';
const asset = (id: `${string}:0x${string}`): KnownAsset => {
  return { kind: 'token', id, symbol: 'TKN', decimals: 18, chain: id.slice(0, id.indexOf(':')) };
};
const assets = (...known: KnownAsset[]) => new Map(known.map((each) => [each.id, each]));

describe('isOversized', () => {
  it('refuses a coverage of 256 KiB whose combinations would be millions', () => {
    const methods = Array.from(
      { length: 2_000 },
      () => ({ method: 'ACH', min: '1', max: '2' }) as const,
    );
    const tokens = Array.from({ length: 1_000 }, () => ({ token: 'alphanet:0x' }) as const);
    const fiats = [{ code: 'usd', methods }];
    expect(isOversized({ fiats, tokens })).toBe(true);
    expect(isOversized({ fiats, tokens: tokens.slice(0, 100) })).toBe(false);
  });
});

describe('rampsOf', () => {
  it('combines every fiat and method with every token', () => {
    const ramps = rampsOf('swiftramp', {
      fiats: [
        {
          code: 'usd',
          methods: [
            { method: 'SEPA', min: '1', max: '2' },
            { method: 'ACH', min: '3', max: '4' },
          ],
        },
      ],
      tokens: [{ token: 'alphanet:0x' }, { token: 'betanet:0x' }],
    });
    expect(ramps).toHaveLength(4);
    expect(ramps[3]).toEqual({
      provider: 'swiftramp',
      method: 'ACH',
      fiat: 'usd',
      token: 'betanet:0x',
      limits: { min: '3', max: '4' },
      places: [],
    });
  });

  it('keeps every place restriction that applies to a combination', () => {
    const [everywhere, ofMethod, ofToken] = [
      { except: ['CUB'] },
      { only: ['USA'] },
      { except: ['USA-NY'] },
    ];
    const ramps = rampsOf('swiftramp', {
      places: everywhere,
      fiats: [
        {
          code: 'usd',
          methods: [
            { method: 'SEPA', min: '1', max: '2' },
            { method: 'ACH', min: '3', max: '4', places: ofMethod },
          ],
        },
      ],
      tokens: [{ token: 'alphanet:0x' }, { token: 'betanet:0x', places: ofToken }],
    });
    expect(ramps.map(({ places }) => places)).toEqual([
      [everywhere],
      [everywhere, ofToken],
      [everywhere, ofMethod],
      [everywhere, ofMethod, ofToken],
    ]);
  });
});

const token = `0x${'1'.repeat(40)}`;
const route = {
  origin: 'alphanet',
  destination: 'betanet',
  inputToken: tokenIdentifier('alphanet', token),
  outputToken: tokenIdentifier('betanet', token),
};

describe('lanesOf', () => {
  it('lists each lane once', () => {
    const { inputToken, outputToken } = route;
    expect(lanesOf('escrow', [route, route])).toEqual([
      { bridge: 'escrow', inputToken, outputToken },
    ]);
  });

  it('drops native currency, lanes within a chain and tokens of other chains', () => {
    const impossible = [
      { ...route, destination: 'alphanet', outputToken: route.inputToken },
      { ...route, inputToken: 'alphanet:0x' as const },
      { ...route, outputToken: 'betanet:0x' as const },
      { ...route, origin: 'gammanet' },
    ];
    expect(lanesOf('escrow', impossible)).toEqual([]);
  });
});

describe('conversionsOf', () => {
  it('converts each pair in both directions, once, for all venues and letter cases', () => {
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
  const usd: KnownAsset = { kind: 'fiat', id: 'usd', symbol: 'USD', decimals: 2 };

  it('lists the tokens of each chain and keeps the array while they are the same', () => {
    const before = tokensByChain(assets(usd, asset(native), asset('betanet:0x')), new Map());
    expect(before.get('alphanet')).toEqual([native]);
    const after = tokensByChain(assets(asset(native), asset(a), asset('betanet:0x')), before);
    expect(after.get('alphanet')).toEqual([native, a]);
    expect(after.get('betanet')).toBe(before.get('betanet'));
  });
});

import type { TokenAsset } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import {
  withOverrides,
  withWrappedPairs,
  type AssetChanges,
  type AssetOverride,
} from './asset-override.js';
import type { ListedAsset } from './listed-assets.js';

const USDC = `alphanet:0x${'a'.repeat(40)}`;
const NEW = `alphanet:0x${'b'.repeat(40)}`;
const asset: TokenAsset = {
  chain: 'alphanet',
  address: USDC.slice(9),
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  image_url: 'https://a.example/usdc.svg',
  is_native: false,
};
const base: ListedAsset[] = [{ id: USDC, asset, pair: 'usdc/usd' }];
const isListedChain = (name: string) => name === 'alphanet';
const listed = (id: string, changes: AssetChanges, hidden = false): ListedAsset[] => {
  const override: AssetOverride = { id, changes, hidden };
  return withOverrides(base, [override], isListedChain);
};
const added = { name: 'New', symbol: 'NEW', decimals: 9, image_url: 'https://a.example/n.svg' };

describe('withOverrides', () => {
  it('changes nothing without overrides', () => {
    expect(withOverrides(base, [], isListedChain)).toEqual(base);
    expect(listed(USDC, {})).toEqual(base);
  });

  it('hides an asset', () => {
    expect(listed(USDC, {}, true)).toEqual([]);
    expect(listed(NEW, added, true)).toEqual(base);
  });

  it('overrides fields of an asset, but never the decimals of its list', () => {
    const changes = { name: 'Dollar', alias: 'USD', pair: 'usdt/usd', decimals: 18 };
    expect(listed(USDC, changes)).toEqual([
      { id: USDC, pair: 'usdt/usd', asset: { ...asset, name: 'Dollar', alias: 'USD' } },
    ]);
  });

  it('adds an unlisted token on a configured chain', () => {
    expect(listed(NEW, { ...added, pair: 'eth/usd', coingecko_id: 'new' })).toEqual([
      ...base,
      {
        id: NEW,
        pair: 'eth/usd',
        asset: {
          ...added,
          coingecko_id: 'new',
          chain: 'alphanet',
          address: NEW.slice(9),
          is_native: false,
        },
      },
    ]);
    expect(listed(NEW.replace('alphanet', 'elsewhere'), added)).toEqual(base);
  });

  it('shows images as valid URIs, and the generic icon where one is missing', () => {
    const imageOf = (assets: ListedAsset[]) => assets.at(-1)?.asset.image_url;
    expect(imageOf(listed(USDC, { image_url: 'https://a.example/a b[1].svg' }))).toBe(
      'https://a.example/a%20b%5B1%5D.svg',
    );
    const { image_url: _, ...withoutImage } = added;
    expect(imageOf(listed(NEW, withoutImage))).toMatch(/generic\.svg$/);
  });

  it('ignores an incomplete token', () => {
    expect(listed(NEW, {})).toEqual(base);
    expect(listed('xyz', added)).toEqual(base);
  });
});

describe('the wrapper of a native currency', () => {
  const NATIVE = 'alphanet:0x';
  const native: ListedAsset = {
    id: NATIVE,
    asset: { ...asset, address: '0x', symbol: 'ETH', is_native: true },
  };
  const wrapped: ListedAsset = { id: USDC, asset: { ...asset, symbol: 'WETH' }, wraps: NATIVE };
  const wrapperWith = (...overrides: AssetOverride[]) => {
    const found = withOverrides([native, wrapped], overrides, isListedChain).find(
      ({ id }) => id === NATIVE,
    );
    return (found?.asset as TokenAsset).wrapper;
  };

  it('is the symbol of its wrapped token, also of an overridden one', () => {
    expect(wrapperWith()).toBe('WETH');
    const changes = { symbol: 'WETH9' };
    expect(wrapperWith({ id: USDC, hidden: false, changes })).toBe('WETH9');
  });

  it('is absent while the wrapped token is hidden', () => {
    expect(wrapperWith({ id: USDC, hidden: true, changes: {} })).toBeUndefined();
  });

  it('changes together with the wrapped token', () => {
    const base = [native, wrapped, { id: NEW, asset }];
    const pair = new Set([NATIVE, USDC]);
    expect(withWrappedPairs(new Set([USDC]), base)).toEqual(pair);
    expect(withWrappedPairs(new Set([NATIVE]), base)).toEqual(pair);
    expect(withWrappedPairs(new Set([NEW]), base)).toEqual(new Set([NEW]));
  });
});

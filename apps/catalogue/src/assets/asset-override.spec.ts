import type { TokenAsset } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { withOverrides, type AssetChanges, type AssetOverride } from './asset-override.js';
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

  it('ignores an incomplete token', () => {
    expect(listed(NEW, {})).toEqual(base);
    expect(listed('xyz', added)).toEqual(base);
  });
});

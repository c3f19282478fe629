import type { FiatAsset, TokenAsset } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { filterAssets } from './asset-filter.js';

const fiat: FiatAsset = { issuer: '', name: '', symbol: 'USD', decimals: 2, image_url: '' };
const token = (chain: string): TokenAsset => ({
  chain,
  address: '0x',
  name: '',
  symbol: 'ETH',
  decimals: 18,
  image_url: '',
  is_native: true,
});
const assets = [
  { id: 'usd', asset: fiat },
  { id: 'testing:0x', asset: token('testing') },
  { id: 'mainly:0x', asset: token('mainly') },
];
const isTestnet = (chain: string): boolean => chain === 'testing';
const keys = (o: Parameters<typeof filterAssets>[1]): string[] =>
  Object.keys(filterAssets(assets, o));

describe('filterAssets', () => {
  it('keeps tokens of test chains, and fiat, for the sandbox', () => {
    expect(keys({ scope: 'sandbox', isTestnet })).toEqual(['usd', 'testing:0x']);
  });

  it('keeps the other tokens, and fiat, outside the sandbox', () => {
    expect(keys({ scope: 'live', isTestnet })).toEqual(['usd', 'mainly:0x']);
  });

  it('takes identifiers in any letter case', () => {
    expect(keys({ scope: 'all', isTestnet, only: ['USD', 'Testing:0x', 'nope'] })).toEqual([
      'usd',
      'testing:0x',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { unlistedAssets } from './unlisted-assets.js';

const isListed = (id: string) => ['usd', 'alphanet:0x'].includes(id);

describe('unlistedAssets', () => {
  it('reports each unlisted asset with its index, in any letter case', () => {
    expect(
      unlistedAssets({ assets: ['USD', 'xyz', 'alphanet:0x', 'nowhere:0x'] }, isListed),
    ).toEqual([
      { code: 'custom', path: ['assets', 1], message: 'Unknown asset xyz.' },
      { code: 'custom', path: ['assets', 3], message: 'Unknown asset nowhere:0x.' },
    ]);
  });

  it.each([undefined, null, {}, { assets: 'usd' }, { assets: [7, 'dollars', 'alphanet:0x12'] }])(
    'ignores malformed input, which the schema check reports: %j',
    (query) => {
      expect(unlistedAssets(query, isListed)).toEqual([]);
    },
  );
});

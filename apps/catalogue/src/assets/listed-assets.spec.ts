import { chainDefinitions } from '@bascule/chain';
import { isFiatCode, isTokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { listedFiats, listedTokens } from './listed-assets.js';

const tokens = Object.values(chainDefinitions).flatMap(listedTokens);

describe('the listed assets', () => {
  it('have lower-case identifiers, each once', () => {
    const ids = [...listedFiats(), ...tokens].map(({ id }) => id);
    expect(ids.filter((id) => id !== id.toLowerCase())).toEqual([]);
    expect(ids.filter((id) => !isTokenIdentifier(id) && !isFiatCode(id))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('hold every chain’s native currency under the address 0x', () => {
    for (const name of Object.keys(chainDefinitions)) {
      const native = tokens.find(({ id }) => id === `${name}:0x`);
      expect(native?.asset).toMatchObject({ chain: name, address: '0x', is_native: true });
    }
  });

  it('name the native currency that a wrapped token wraps', () => {
    const weth = tokens.find(({ asset }) => asset.symbol === 'WETH');
    expect(weth?.asset).toMatchObject({ wrapper: `${String(weth?.chain)}:0x`, is_native: false });
  });

  it('are priced by feeds that their chain has', () => {
    for (const { chain, pair } of tokens) {
      const feeds = chainDefinitions[chain]?.contracts.priceFeeds ?? {};
      expect(Object.keys(feeds)).toContain(pair);
    }
  });
});

import { chainDefinitions } from '@bascule/chain';
import { VENUE_NAMES } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { zeroAddress } from 'viem';
import { createVenues } from './create-venues.js';

describe('the venues', () => {
  it('have the names that operators pause them by', () => {
    const names = createVenues().map(({ name }) => name);
    expect(names.sort()).toEqual([...VENUE_NAMES].sort());
  });

  it('may convert only what they can, on chains that have them', () => {
    const { alphanet } = chainDefinitions;
    if (alphanet === undefined) throw new Error('alphanet is not defined');
    const { wrappedNative, uniswapV2, uniswapV3, uniswapV4, ...contracts } = alphanet.contracts;
    const token = contracts.converter;
    const pools = { uniswapV2, uniswapV3, uniswapV4 };
    const mayConvert = (
      inputToken: typeof token,
      outputToken: typeof token,
      deployed: Partial<typeof pools> = pools,
    ) =>
      createVenues()
        .filter((venue) =>
          venue.mayConvert(
            {
              definition: {
                ...alphanet,
                contracts: { ...contracts, wrappedNative, ...deployed },
              },
            },
            { inputToken, outputToken },
          ),
        )
        .map(({ name }) => name);
    const all = ['uniswap_v2', 'uniswap_v3', 'uniswap_v4'];
    expect(mayConvert(token, wrappedNative)).toEqual(all);
    expect(mayConvert(token, zeroAddress)).toEqual(all);
    expect(mayConvert(zeroAddress, wrappedNative)).toEqual(['wrapped_native']);
    expect(mayConvert(wrappedNative, zeroAddress)).toEqual(['wrapped_native']);
    expect(mayConvert(token, token)).toEqual([]);
    expect(mayConvert(token, wrappedNative, {})).toEqual([]);
    expect(mayConvert(token, wrappedNative, { uniswapV2 })).toEqual(['uniswap_v2']);
    expect(mayConvert(token, wrappedNative, { uniswapV3 })).toEqual(['uniswap_v3']);
    expect(mayConvert(token, wrappedNative, { uniswapV4 })).toEqual(['uniswap_v4']);
  });
});

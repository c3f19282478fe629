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
    const { wrappedNative, uniswapV3, ...contracts } = alphanet.contracts;
    const token = contracts.converter;
    const mayConvert = (inputToken: typeof token, outputToken: typeof token, isPooled = true) =>
      createVenues()
        .filter((venue) =>
          venue.mayConvert(
            {
              definition: {
                ...alphanet,
                contracts: { ...contracts, wrappedNative, ...(isPooled && { uniswapV3 }) },
              },
            },
            { inputToken, outputToken },
          ),
        )
        .map(({ name }) => name);
    expect(mayConvert(token, wrappedNative)).toEqual(['uniswap_v3']);
    expect(mayConvert(token, zeroAddress)).toEqual(['uniswap_v3']);
    expect(mayConvert(zeroAddress, wrappedNative)).toEqual(['wrapped_native']);
    expect(mayConvert(wrappedNative, zeroAddress)).toEqual(['wrapped_native']);
    expect(mayConvert(token, token)).toEqual([]);
    expect(mayConvert(token, wrappedNative, false)).toEqual([]);
  });
});

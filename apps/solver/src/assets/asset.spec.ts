import { describe, expect, it } from '@jest/globals';
import { parseAssets } from './asset.js';

const tokens = {
  alphanet: '0x00000000000000000000000000000000000000a1',
  betanet: '0x00000000000000000000000000000000000000b1',
};
const usdc = { tokens, flat_fee: '10000', min_amount: '1000000' };

describe('the assets of a solver', () => {
  it('have tokens by chain and fee terms', () => {
    const [asset] = parseAssets(JSON.stringify([usdc]));
    expect(asset?.flatFee).toBe(10_000n);
    expect(asset?.minAmount).toBe(1_000_000n);
    expect([...(asset?.tokens.keys() ?? [])]).toEqual(['alphanet', 'betanet']);
    expect([...(asset?.nativeValues ?? [])]).toEqual([]);
  });

  it('can have values of native coins', () => {
    const valued = { ...usdc, native_values: { alphanet: '3000000000' } };
    const [asset] = parseAssets(JSON.stringify([valued]));
    expect([...(asset?.nativeValues ?? [])]).toEqual([['alphanet', 3_000_000_000n]]);
  });

  it.each([
    ['is not JSON', '['],
    ['is empty', '[]'],
    ['lists a value that is no asset', '["usdc"]'],
    ['lists a token twice', JSON.stringify([usdc, usdc])],
    [
      'has a token on one chain only',
      JSON.stringify([{ ...usdc, tokens: { alphanet: tokens.alphanet } }]),
    ],
    ['has no address', JSON.stringify([{ ...usdc, tokens: { ...tokens, betanet: '0x12' } }])],
    ['has a number as an amount', JSON.stringify([{ ...usdc, flat_fee: 1 }])],
    ['values a coin by nothing', JSON.stringify([{ ...usdc, native_values: { alphanet: '0' } }])],
    ['values a coin elsewhere', JSON.stringify([{ ...usdc, native_values: { base: '1' } }])],
    ['has a fraction', JSON.stringify([{ ...usdc, min_amount: '1.5' }])],
  ])('are refused when the list %s', (_why, text) => {
    expect(() => parseAssets(text)).toThrow();
  });
});

import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { priceTable } from './price-table.js';

const prices = new Map([
  ['usd', parseDecimal('1')],
  ['eur', parseDecimal('1.25')],
  ['alphanet:0x', parseDecimal('2500.5')],
]);

describe('priceTable', () => {
  it('prices tokens in the fiat, which is worth 1.0', () => {
    expect(priceTable('usd', ['alphanet:0x'], prices)).toEqual({
      usd: '1.0',
      'alphanet:0x': '2500.5',
    });
  });

  it('includes usd even when another fiat is asked for', () => {
    expect(priceTable('eur', ['alphanet:0x'], prices)).toEqual({
      eur: '1.0',
      usd: '0.8',
      'alphanet:0x': '2000.4',
    });
  });

  it('leaves out what has no price', () => {
    expect(priceTable('usd', ['betanet:0x'], prices)).toEqual({ usd: '1.0' });
  });

  it('says nothing when the fiat itself has no price', () => {
    expect(priceTable('gbp', ['alphanet:0x'], prices)).toBeNull();
  });
});

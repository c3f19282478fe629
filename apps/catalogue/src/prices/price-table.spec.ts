import { parseDecimal, type Decimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { priceTable } from './price-table.js';

const known = new Map([
  ['eur', parseDecimal('1.25')],
  ['alphanet:0x', parseDecimal('2500.5')],
  ['alphanet:0xdust', parseDecimal('0.000000000000000001')],
]);
const prices = (asset: string): Decimal | undefined => known.get(asset);

describe('priceTable', () => {
  it('prices tokens in the fiat and the fiat itself at 1.0', () => {
    expect(priceTable('usd', ['alphanet:0x'], prices)).toEqual({
      usd: '1.0',
      'alphanet:0x': '2500.5',
    });
  });

  it('includes usd when another fiat is requested', () => {
    expect(priceTable('eur', ['alphanet:0x'], prices)).toEqual({
      eur: '1.0',
      usd: '0.8',
      'alphanet:0x': '2000.4',
    });
  });

  it('leaves out assets without a price', () => {
    expect(priceTable('usd', ['betanet:0x'], prices)).toEqual({ usd: '1.0' });
  });

  it('is null when the fiat has no price', () => {
    expect(priceTable('gbp', ['alphanet:0x'], prices)).toBeNull();
  });

  it('prices the dollar at 1 without any source', () => {
    expect(priceTable('usd', ['alphanet:0x'], () => undefined)).toEqual({ usd: '1.0' });
  });

  it('rounds prices to ten significant digits', () => {
    const exact = parseDecimal('0.00023790299997199327');
    expect(priceTable('usd', ['alphanet:0x'], () => exact)).toEqual({
      usd: '1.0',
      'alphanet:0x': '0.000237903',
    });
  });

  it('leaves out a price that rounds to zero', () => {
    expect(priceTable('eur', ['alphanet:0xdust'], prices)).toEqual({ eur: '1.0', usd: '0.8' });
  });
});

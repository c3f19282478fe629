import { parseDecimal } from '@bascule/amounts';
import { describe, expect, it } from '@jest/globals';
import { PriceBook } from '../routes/price-book.js';
import { given, USDC, WETH } from '../testing/quoted-route.fixture.js';
import { inputCeilingIssue } from './input-ceiling.js';

const usd = new Map([
  ['eur', parseDecimal('1.25')],
  [WETH, parseDecimal('3000')],
]);
const prices = PriceBook.in('usd', usd);
const ETHER = 10n ** 18n;

describe('inputCeilingIssue', () => {
  it('accepts the ceiling itself and reports more', () => {
    expect(inputCeilingIssue(given(WETH, ETHER), { prices, maxInputUsd: 3_000 })).toBeNull();
    expect(inputCeilingIssue(given(WETH, ETHER + 1n), { prices, maxInputUsd: 3_000 })).toEqual({
      kind: 'amount',
      asset: WETH,
      given: '1.000000000000000001',
      limits: { max: '1' },
      source: 'deployment',
      message:
        'Given amount is 1.000000000000000001 WETH, but this service accepts at most 1 WETH per payment.',
      reason: 'TOO_HIGH',
    });
  });

  it('is the same in every price currency', () => {
    const euros = { prices: PriceBook.in('eur', usd), maxInputUsd: 3_000 };
    expect(inputCeilingIssue(given(WETH, ETHER), euros)).toBeNull();
    expect(inputCeilingIssue(given(WETH, ETHER + 1n), euros)).not.toBeNull();
  });

  it('accepts everything without a ceiling or a price', () => {
    const whale = given(WETH, ETHER * ETHER);
    expect(inputCeilingIssue(whale, { prices, maxInputUsd: null })).toBeNull();
    expect(inputCeilingIssue(given(USDC, ETHER), { prices, maxInputUsd: 1 })).toBeNull();
  });
});

import {
  addDecimals,
  compareDecimals,
  mulDecimals,
  parseDecimal,
  subDecimals,
} from '@bascule/amounts';
import type { Payment } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { aPayment, aPolicy, minutesAfter } from '../testing/a-payment.fixture.js';
import { USDC, WETH } from '../testing/a-quote.fixture.js';
import { paymentView } from './payment-view.js';
import { inPriceCurrency } from './price-currency.js';

const viewOf = (amounts: Parameters<ReturnType<typeof aPayment>['complete']>[0]): Payment =>
  paymentView(aPayment().complete(amounts).build(), {
    policyOn: () => aPolicy,
    now: minutesAfter(4),
    enableWithdrawPending: false,
  });
const rate = { from: parseDecimal('1'), to: parseDecimal('1.25') };

describe('inPriceCurrency', () => {
  it('multiplies prices and fees by one rate', () => {
    const payment = viewOf({});
    const shown = inPriceCurrency(payment, 'gbp', rate);
    expect(shown).toEqual({
      ...payment,
      price_currency: 'gbp',
      current_prices: { [USDC]: '0.8', [WETH]: '2400', usd: '0.8', gbp: '1.0' },
      quoted: {
        ...payment.quoted,
        fees: {
          total_fees: '1.28',
          conversion_fees: '0.48',
          network_fees: '0.8',
          business_fees: '0',
          currency_symbol: 'gbp',
        },
      },
      fulfilled: {
        ...payment.fulfilled,
        fees: {
          total_fees: '1.04',
          conversion_fees: '0.24',
          network_fees: '0.8',
          business_fees: '0',
          currency_symbol: 'gbp',
        },
      },
    });
  });

  it('converts negative fees', () => {
    const payment = viewOf({ output: 33_500_000_000_000_000n });
    expect(payment.fulfilled.fees).toMatchObject({ conversion_fees: '-1.5', total_fees: '-0.5' });
    const { fees } = inPriceCurrency(payment, 'gbp', rate).fulfilled;
    expect(fees).toMatchObject({ conversion_fees: '-1.2', total_fees: '-0.4' });
  });

  it('keeps the value of the input less the fees equal to that of the output', () => {
    const thirds = { from: parseDecimal('1'), to: parseDecimal('3') };
    const { current_prices: prices, quoted } = inPriceCurrency(viewOf({}), 'xau', thirds);
    const input = mulDecimals(prices[USDC] ?? '0', '100');
    const output = mulDecimals(prices[WETH] ?? '0', quoted.output_amount.amount);
    const rest = subDecimals(subDecimals(input, quoted.fees.total_fees), output);
    expect(compareDecimals(mulDecimals(rest, rest), '0.000000000001')).toBe(-1);
    const { conversion_fees, network_fees, business_fees, total_fees } = quoted.fees;
    const sum = addDecimals(conversion_fees, network_fees, business_fees);
    expect(compareDecimals(sum, total_fees)).toBe(0);
  });
});

import {
  addDecimals,
  formatDecimal,
  roundDecimal,
  subDecimals,
  ZERO,
  type Decimal,
} from '@bascule/amounts';
import type { Fees } from '@bascule/contracts';
import { worth, type Amount } from './amount.js';
import type { PriceBook } from './price-book.js';

/** Decimals of fees in the price currency. */
const DECIMALS = 8;

/**
 * Splits the value lost between input and output by recipient. Conversion fees are the remainder after gas and revenue
 * shares; they are negative where the rate is better than the market's. The parts sum to the total, and input value
 * minus total equals output value to the last decimal shown.
 * @throws MissingPriceError
 */
export function feeBreakdown(o: {
  input: Amount;
  output: Amount;
  network: readonly Amount[];
  business: readonly Amount[];
  prices: PriceBook;
}): Fees {
  const sum = (amounts: readonly Amount[]): Decimal =>
    roundDecimal(
      addDecimals(ZERO, ...amounts.map((amount) => worth(amount, o.prices))),
      DECIMALS,
      'up',
    );
  const lost = subDecimals(worth(o.input, o.prices), worth(o.output, o.prices));
  const total = roundDecimal(lost, DECIMALS, 'up');
  const network = sum(o.network);
  const business = sum(o.business);
  return {
    total_fees: formatDecimal(total),
    conversion_fees: formatDecimal(subDecimals(subDecimals(total, network), business)),
    network_fees: formatDecimal(network),
    business_fees: formatDecimal(business),
    currency_symbol: o.prices.currency,
  };
}

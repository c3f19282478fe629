import {
  addDecimals,
  formatDecimal,
  roundDecimal,
  subDecimals,
  valueOf,
  ZERO,
  type Decimal,
} from '@bascule/amounts';
import type { AssetIdentifier, Fees } from '@bascule/contracts';
import type { PriceBook } from './price-book.js';

/** Fees are shown to this many decimals of the currency. */
const DECIMALS = 8;

/** An exact amount, in the asset's smallest unit. */
export interface Amount {
  asset: AssetIdentifier;
  decimals: number;
  units: bigint;
}

const worth = ({ asset, decimals, units }: Amount, prices: PriceBook): Decimal =>
  valueOf(units, decimals, prices.priceOf(asset));

/**
 * The value that is lost between input and output, by who takes it: what is neither gas nor revenue share stays with
 * onramps and venues. Negative conversion fees are a rate better than the market price. The parts add up to the total,
 * and the input's value less the total is the output's, to the last decimal shown.
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

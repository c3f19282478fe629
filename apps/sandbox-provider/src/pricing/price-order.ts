import {
  addDecimals,
  compareDecimals,
  divDecimals,
  formatDecimal,
  mulDecimals,
  roundDecimal,
  subDecimals,
  unitsOf,
} from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { FiatOffer, MethodOffer } from '../offers/offer.js';

const PRICE_DECIMALS = 8;
const CENTS = 2;

export interface Market {
  /** US dollars for one whole token. */
  tokenUsd: Decimal;
  /** Network fee of the transfer in US dollars. */
  networkFeeUsd: Decimal;
}

export interface OrderTerms {
  fiat: FiatOffer;
  method: MethodOffer;
  spreadPercent: string;
  fiatAmount: string;
  tokenDecimals: number;
}

/** Decimal strings in the order's fiat, and the tokens that the rest buys. */
export interface OrderPrice {
  cryptoAmount: bigint;
  /** Fiat for one whole token, the spread included. */
  rate: string;
  fees: { processing: string; network: string; total: string };
}

const percentOf = (percent: string): Decimal => divDecimals(percent, '100', PRICE_DECIMALS, 'up');

/** Prices an order: fees are rounded up to cents, tokens down to smallest units. Null when fees exceed the amount. */
export function priceOrder(terms: OrderTerms, market: Market): OrderPrice | null {
  const { fiat, method, fiatAmount } = terms;
  const processing = roundDecimal(
    addDecimals(mulDecimals(fiatAmount, percentOf(method.feePercent)), method.feeFixed),
    CENTS,
    'up',
  );
  const network = divDecimals(market.networkFeeUsd, fiat.usd, CENTS, 'up');
  const total = addDecimals(processing, network);
  if (compareDecimals(total, fiatAmount) >= 0) return null;
  const rate = divDecimals(
    mulDecimals(market.tokenUsd, addDecimals('1', percentOf(terms.spreadPercent))),
    fiat.usd,
    PRICE_DECIMALS,
    'up',
  );
  const rest = subDecimals(fiatAmount, total);
  return {
    cryptoAmount: unitsOf(rest, terms.tokenDecimals, rate, 'down'),
    rate: formatDecimal(rate),
    fees: {
      processing: formatDecimal(processing),
      network: formatDecimal(network),
      total: formatDecimal(total),
    },
  };
}

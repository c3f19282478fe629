import { mulDecimals, parseDecimal, valueOf, ZERO } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { AssetIdentifier, TokenIdentifier } from '@bascule/contracts';
import { decimalsOf } from './payment-record.js';
import type { PaymentRecord } from './payment-record.js';

const priceOf = (payment: PaymentRecord, asset: AssetIdentifier): Decimal =>
  parseDecimal(payment.currentPrices[asset] ?? '0');

/** Value of smallest units of a token, in the price currency at the quote's prices. */
export const worth = (payment: PaymentRecord, token: TokenIdentifier, units: bigint): Decimal =>
  valueOf(units, decimalsOf(payment, token), priceOf(payment, token));

/** Value of the fiat that the checkout charges; zero without an onramp. */
export function worthOfFiat(payment: PaymentRecord): Decimal {
  const { funding } = payment.plan;
  if (funding.kind !== 'onramp') return ZERO;
  return mulDecimals(parseDecimal(funding.fiat_amount), priceOf(payment, funding.fiat));
}

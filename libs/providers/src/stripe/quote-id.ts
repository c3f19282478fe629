import type { DecimalString } from '@bascule/contracts';
import type { StripePair } from './pairs.js';

/** Terms that a checkout repeats: Stripe's names of the token, and its amount in whole units. */
export interface QuotedPurchase extends StripePair {
  amount: DecimalString;
}

const QUOTE_ID = /^([a-z0-9_]{1,40}):([a-z0-9_]{1,40}):([0-9]{1,60}(?:\.[0-9]{1,30})?)$/;

/** Sessions take no quote of Stripe, so the terms travel in our quote id. */
export const quoteId = ({ currency, network, amount }: QuotedPurchase): string =>
  `${currency}:${network}:${amount}`;

/** Undefined for an id that is not ours. */
export function parseQuoteId(id: string): QuotedPurchase | undefined {
  const [, currency, network, amount] = QUOTE_ID.exec(id) ?? [];
  if (currency === undefined || network === undefined || amount === undefined) return undefined;
  return { currency, network, amount };
}

import type { DecimalString } from '@bascule/contracts';

/**
 * MoonPay's quotes have no id. What a checkout must repeat travels in ours: the code of the token, and the amount of it,
 * in whole units, that the checkout locks.
 */
export interface QuotedPurchase {
  code: string;
  amount: DecimalString;
}

const QUOTE_ID = /^([a-z0-9_]{1,40}):([0-9]{1,60}(?:\.[0-9]{1,30})?)$/;

export const quoteId = ({ code, amount }: QuotedPurchase): string => `${code}:${amount}`;

/** Undefined for an id that is not ours. */
export function parseQuoteId(id: string): QuotedPurchase | undefined {
  const [, code, amount] = QUOTE_ID.exec(id) ?? [];
  return code === undefined || amount === undefined ? undefined : { code, amount };
}

import { compareDecimals, mulDecimals } from '@bascule/amounts';
import type { DecimalString, TokenIdentifier } from '@bascule/contracts';

/**
 * Terms that a checkout locks and an order is compared with, where a provider's quotes and orders have no id of their own:
 * they travel in our ids of quote and checkout.
 */
export interface LockedTerms {
  /** Name of the token at the provider. */
  code: string;
  /** Name of the network at the provider; `-` where the code tells it. */
  network: string;
  /** Whole units of the token. */
  amount: DecimalString;
  token: TokenIdentifier;
}

const NAME = '[A-Za-z0-9_.-]{1,40}';
const ID = new RegExp(
  `^(${NAME}) (${NAME}) ([0-9]{1,60}(?:\\.[0-9]{1,30})?) ([a-z]+:0x[0-9a-f]*)$`,
);
const WHOLE_NAME = new RegExp(`^${NAME}$`);

/** Least share of the locked amount that a purchase of the order has: prices move, and pages may let customers change it. */
const LEAST_SHARE = '0.9';

/** Whether a purchase is another, smaller one. */
export const isFarBelow = (amount: DecimalString, locked: Pick<LockedTerms, 'amount'>): boolean =>
  compareDecimals(amount, mulDecimals(locked.amount, LEAST_SHARE)) < 0;

/** Whether a provider's name fits into an id. */
export const isLockable = (name: string): boolean => WHOLE_NAME.test(name);

export const lockedTermsId = ({ code, network, amount, token }: LockedTerms): string =>
  `${code} ${network} ${amount} ${token.toLowerCase()}`;

/** Reads the terms of a token; undefined for an id of another provider or token. */
export function parseLockedTerms(id: string, token: string): LockedTerms | undefined {
  const [, code = '', network = '', amount = '', locked] = ID.exec(id) ?? [];
  if (locked === undefined || locked !== token.toLowerCase()) return undefined;
  return { code, network, amount, token: locked as TokenIdentifier };
}

import type { DecimalString } from '@bascule/contracts';
import type { OnrampOrder, OnrampOrderStatus } from '../port/onramp-provider.js';
import { JsonObject, told, transactionHashOf } from './json-object.js';
import { isFarBelow, type LockedTerms } from './locked-terms.js';
import { unitsOfDecimal } from './token-units.js';

/** One attempt of a customer to pay an order, as the provider tells it; a fact in other words counts as not told. */
export interface Attempt {
  status: OnrampOrderStatus;
  /** Whether order and token have the names that the checkout gave them. */
  isNamedSo: boolean;
  /** Address that gets the tokens. */
  address?: string | undefined;
  /** Whole units of the token. */
  amount?: DecimalString | undefined;
  startedAt?: Date | undefined;
  transactionHash?: string | undefined;
  reason?: string | undefined;
}

interface Terms {
  depositAddress: string;
  tokenDecimals: number;
  locked: LockedTerms;
}

const PROGRESS: Readonly<Record<OnrampOrderStatus, number>> = {
  DELIVERED: 4,
  PROCESSING: 3,
  // May be paid, so it hides a failed attempt.
  UNKNOWN: 2,
  AWAITING_PAYMENT: 1,
  // Counts unless the customer has begun again since.
  REFUNDED: 1,
  CREATED: 0,
  FAILED: 0,
};
const UNPAID: ReadonlySet<OnrampOrderStatus> = new Set(['CREATED', 'AWAITING_PAYMENT', 'FAILED']);
const ADDRESS = /^0x[0-9a-f]{40}$/i;
const UNREADABLE: Attempt = { status: 'UNKNOWN', isNamedSo: false };

/** Reads a list of attempts; one that is unreadable may be paid. */
export const readAttempts = (
  list: readonly unknown[],
  read: (item: JsonObject) => Attempt,
): Attempt[] => list.map((item) => told(() => read(JsonObject.of(item))) ?? UNREADABLE);

/** Whether an attempt is of the order; undefined where it does not tell, or in other words. */
function isOfOrder(attempt: Attempt, { depositAddress, locked }: Terms): boolean | undefined {
  const { address, amount, isNamedSo } = attempt;
  const isTold = address !== undefined && ADDRESS.test(address);
  if (isTold && address.toLowerCase() !== depositAddress.toLowerCase()) return false;
  if (amount !== undefined && isFarBelow(amount, locked)) return false;
  return isTold && isNamedSo ? true : undefined;
}

function ownState(attempt: Attempt, { tokenDecimals }: Terms): OnrampOrder {
  const { status, amount, reason, startedAt, transactionHash = '' } = attempt;
  const isPaid = status === 'PROCESSING' || status === 'DELIVERED';
  const facts = {
    ...(reason !== undefined && { reason }),
    // When the money arrived is not told; the customer started in time or not.
    ...(isPaid && startedAt && { paidAt: startedAt }),
  };
  if (status !== 'DELIVERED') return { status, ...facts };
  const hash = transactionHashOf(transactionHash);
  // Without the transaction on the chain, it is still asked for.
  if (hash === undefined) return { status: 'PROCESSING', ...facts };
  return {
    status,
    ...facts,
    transactionHash: hash,
    ...(amount !== undefined && { deliveredAmount: unitsOfDecimal(amount, tokenDecimals) }),
  };
}

/** State of an attempt; undefined for one that is not of the order: anybody can start one to another address, or for less. */
function stateOf(attempt: Attempt, terms: Terms): OnrampOrder | undefined {
  const isOurs = isOfOrder(attempt, terms);
  if (isOurs === true) return ownState(attempt, terms);
  // What may be of the order cannot be taken for paid; an unpaid one does not matter.
  const mayBePaid = isOurs === undefined && !UNPAID.has(attempt.status);
  return mayBePaid ? { status: 'UNKNOWN' } : undefined;
}

/** State of an order by its attempts: that of the one that got furthest, of equal ones the newest. */
export function orderOfAttempts(attempts: readonly Attempt[], terms: Terms): OnrampOrder {
  const startedAt = (attempt: Attempt): number => attempt.startedAt?.getTime() ?? 0;
  return attempts
    .toSorted((one, other) => startedAt(other) - startedAt(one))
    .flatMap((attempt) => stateOf(attempt, terms) ?? [])
    .reduce<OnrampOrder>(
      (one, other) => (PROGRESS[other.status] > PROGRESS[one.status] ? other : one),
      { status: 'CREATED' },
    );
}

/** Reads a text that people see. */
export const readReason = (item: JsonObject, field: string): string | undefined =>
  item.isText(field) ? told(() => item.message(field)) : undefined;

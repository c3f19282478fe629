import { compareDecimals, valueOf, ZERO } from '@bascule/amounts';
import type { Decimal } from '@bascule/amounts';
import type { Deposit, PaymentRecord } from '../life-cycle/payment-record.js';

/** Deposits of a token of the plan that are told apart, and of all other tokens together. */
export const SINGLE_DEPOSITS = 25;

export interface Placement {
  /** New deposits that are told apart. */
  readonly single: readonly Deposit[];
  /** New deposits that are only summed. */
  readonly summed: readonly Deposit[];
  /** Known deposits that were told apart until now. */
  readonly absorbed: readonly Deposit[];
}

/**
 * Keeps the largest deposits of each token apart and sums the others, so that strangers' dust neither grows a payment
 * without bound nor hides a deposit: to displace one, they have to send more than it, many times. Deposits that a
 * transfer or a checkout names stay apart.
 */
export function placeDeposits(payment: PaymentRecord, arrived: readonly Deposit[]): Placement {
  const known = payment.deposits.filter(({ sum }) => sum === undefined);
  const surplus = new Set(
    Object.values(Object.groupBy([...known, ...arrived], (it) => classOf(payment, it))).flatMap(
      (deposits = []) => beyondRoom(payment, deposits),
    ),
  );
  const isSurplus = (deposit: Deposit): boolean => surplus.has(deposit);
  return {
    single: arrived.filter((deposit) => !isSurplus(deposit)),
    summed: arrived.filter(isSurplus),
    absorbed: known.filter(isSurplus),
  };
}

const FOREIGN = 'foreign';
/** Deposits of named transactions that stay apart: anyone may add more to a transaction that fills an order. */
const NAMED_DEPOSITS = 5;

const isPlanned = ({ decimals }: PaymentRecord, { token }: Deposit): boolean =>
  decimals[token] !== undefined;

const classOf = (payment: PaymentRecord, deposit: Deposit): string =>
  isPlanned(payment, deposit) ? deposit.token : FOREIGN;

function beyondRoom(payment: PaymentRecord, deposits: readonly Deposit[]): Deposit[] {
  if (deposits.length <= SINGLE_DEPOSITS) return [];
  const sizes = new Map(deposits.map((deposit) => [deposit, sizeOf(payment, deposit)]));
  const size = (deposit: Deposit): Decimal => sizes.get(deposit) ?? ZERO;
  const largestFirst = deposits.toSorted((one, other) => compareDecimals(size(other), size(one)));
  const names = namedTransactions(payment);
  const named = largestFirst.filter(({ transactionHash }) => names.has(transactionHash));
  const kept = new Set(named.slice(0, NAMED_DEPOSITS));
  return largestFirst.filter((deposit) => !kept.has(deposit)).slice(SINGLE_DEPOSITS);
}

/** Whole units of one token, or dollars of different ones. */
const sizeOf = (payment: PaymentRecord, deposit: Deposit): Decimal =>
  valueOf(
    deposit.amount,
    deposit.decimals,
    isPlanned(payment, deposit) ? '1' : (deposit.usdPrice ?? '0'),
  );

function namedTransactions({ legs, checkout }: PaymentRecord): ReadonlySet<string | null> {
  const ofTransfers = legs.flatMap(({ transfer }) => [
    transfer?.filled?.transactionHash,
    transfer?.refunded?.transactionHash,
  ]);
  return new Set([...ofTransfers, checkout?.transactionHash].map((hash) => hash ?? null));
}

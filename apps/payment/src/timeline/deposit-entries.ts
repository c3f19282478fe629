import { formatAmount } from '@bascule/amounts';
import type { TimelineEntryType } from '@bascule/contracts';
import { isLate } from '../life-cycle/funding.js';
import { transactionOf } from '../life-cycle/payment-record.js';
import type { Deposit, PaymentRecord } from '../life-cycle/payment-record.js';
import { isDust } from '../life-cycle/policy.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { blockFacts, transactionFact } from './entry.js';
import type { NewEntry } from './entry.js';

/** Entries of deposits that appeared, became final or were lost to a reorg; those of sums are only counted. */
export function depositEntries(
  before: PaymentRecord,
  after: PaymentRecord,
  policy: PaymentPolicy,
): NewEntry[] {
  if (before.deposits === after.deposits) return [];
  const [earlier, later] = [singleDeposits(before), singleDeposits(after)];
  const known = new Map(earlier.map((deposit) => [deposit.id, deposit]));
  const current = new Map(later.map((deposit) => [deposit.id, deposit]));
  const entry = (type: TimelineEntryType, deposit: Deposit): NewEntry => ({
    type,
    facts: {
      chain: deposit.chain,
      token: deposit.token,
      amount: formatAmount(deposit.amount, deposit.decimals),
      ...transactionFact(transactionOf(deposit)),
      ...blockFacts(deposit),
      ...(isLate(after, deposit) && { is_late: true }),
    },
    isDust: isCheap(after, deposit, policy),
  });
  const isSameBlock = (one: Deposit, other: Deposit | undefined): boolean =>
    one.blockHash === other?.blockHash;

  const removed = earlier
    .filter((deposit) => !isSameBlock(deposit, current.get(deposit.id)))
    .map((deposit) => entry('deposit.reorganised', deposit));
  const found = later.flatMap((deposit): NewEntry[] => {
    const then = known.get(deposit.id);
    const isNew = !isSameBlock(deposit, then);
    const isFinal = deposit.confirmed && (isNew || then?.confirmed !== true);
    return [
      ...(isNew ? [entry('deposit.seen', deposit)] : []),
      ...(isFinal ? [entry('deposit.confirmed', deposit)] : []),
    ];
  });
  return [...removed, ...found];
}

const singleDeposits = ({ deposits }: PaymentRecord): Deposit[] =>
  deposits.filter(({ sum }) => sum === undefined);

/** Worth too little for its owner to withdraw it; a foreign token without a price counts as worthless. */
function isCheap(payment: PaymentRecord, deposit: Deposit, policy: PaymentPolicy): boolean {
  const isForeign = payment.decimals[deposit.token] === undefined;
  return isDust(deposit, policy) || (deposit.usdPrice === null && isForeign);
}

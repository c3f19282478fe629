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
  const current = new Set(later.map(({ id }) => id));
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
  const removed = earlier
    .filter(({ id }) => !current.has(id))
    .map((deposit) => entry('deposit.reorganised', deposit));
  const found = later.flatMap((deposit): NewEntry[] => {
    const then = known.get(deposit.id);
    const isFinal = deposit.confirmed && then?.confirmed !== true;
    return [
      ...(then === undefined ? [entry('deposit.seen', deposit)] : []),
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

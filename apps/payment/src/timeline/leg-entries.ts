import { formatAmount } from '@bascule/amounts';
import type { TimelineEntryType, TimelineFacts } from '@bascule/contracts';
import { decimalsOf } from '../life-cycle/payment-record.js';
import type {
  Leg,
  LegFailure,
  LegSettlement,
  PaymentRecord,
} from '../life-cycle/payment-record.js';
import { blockFacts, messageFact, transactionFact } from './entry.js';
import type { NewEntry } from './entry.js';
import { transferEntries } from './transfer-entries.js';

/** Entries of legs, their transfers and refunds. */
export function legEntries(before: PaymentRecord, after: PaymentRecord): NewEntry[] {
  return after.legs.flatMap((leg): NewEntry[] => {
    const earlier = before.legs[leg.index];
    if (earlier === undefined || earlier === leg) return [];
    return [
      ...startEntries(earlier, leg),
      ...settlementEntries(after, earlier, leg),
      ...transferEntries(after, earlier, leg),
      ...failureEntries(earlier, leg),
    ];
  });
}

const legEntry = (type: TimelineEntryType, leg: Leg, facts: TimelineFacts): NewEntry => ({
  type,
  facts: { leg: leg.index, chain: leg.chain, ...facts },
});

function startEntries(before: Leg, after: Leg): NewEntry[] {
  if (after.attempts === before.attempts) return [];
  return [legEntry('leg.submitted', after, { attempt: after.attempts })];
}

function settlementEntries(payment: PaymentRecord, before: Leg, after: Leg): NewEntry[] {
  if (isSameSettlement(before, after)) return [];
  const removed = legEntry('leg.reorganised', before, transactionFact(before.transactionHash));
  return [
    ...(before.settlement === null ? [] : [removed]),
    ...(after.settlement === null ? [] : [executedEntry(payment, after, after.settlement)]),
  ];
}

const isSameSettlement = (before: Leg, after: Leg): boolean =>
  before.settlement?.blockNumber === after.settlement?.blockNumber &&
  (after.settlement === null || before.transactionHash === after.transactionHash);

function executedEntry(payment: PaymentRecord, leg: Leg, settlement: LegSettlement): NewEntry {
  const planned = payment.plan.legs[leg.index];
  const amounts =
    planned === undefined
      ? {}
      : {
          token: planned.input_token,
          amount: formatAmount(settlement.input, decimalsOf(payment, planned.input_token)),
          output_token: planned.output_token,
          output_amount: formatAmount(settlement.output, decimalsOf(payment, planned.output_token)),
        };
  return legEntry('leg.executed', leg, {
    ...transactionFact(leg.transactionHash),
    ...blockFacts(settlement),
    ...amounts,
  });
}

function failureEntries(before: Leg, after: Leg): NewEntry[] {
  const { failure } = after;
  if (failure === null || (isSame(before.failure, failure) && before.status === after.status)) {
    return [];
  }
  const reverted = before.status === 'EXECUTING' ? transactionFact(after.transactionHash) : {};
  const facts = { reason: failure.reason, ...messageFact(failure.message), ...reverted };
  if (after.status === 'FAILED') return [legEntry('leg.failed', after, facts)];
  return after.status === 'ATTEMPT_FAILED' ? [legEntry('leg.attempt_failed', after, facts)] : [];
}

const isSame = (before: LegFailure | null, after: LegFailure): boolean =>
  before?.reason === after.reason && before.message === after.message;

import type { Leg, LegFailure } from '../life-cycle/payment-record.js';
import type { ExecutionPatience } from '../life-cycle/policy.js';

export type Verdict =
  { next: 'retry'; failure: LegFailure; at: Date } | { next: 'give_up'; failure: LegFailure };

/** Time in which nobody tried, such as that of a restart, is no patience. */
const MIN_TRIES = 5;

/** What follows on an attempt that came to nothing. */
export function afterFailure(
  leg: Leg,
  { reason, message }: LegFailure,
  patience: ExecutionPatience,
  now: Date,
): Verdict {
  const since = leg.failure?.since ?? now.toISOString();
  const tries = (leg.failure?.tries ?? 0) + 1;
  const failure: LegFailure = { reason, message, since, tries };
  const isOver =
    (tries >= MIN_TRIES && now.getTime() - Date.parse(since) >= patience.patienceMs) ||
    leg.attempts >= patience.maxTransactions;
  return isOver
    ? { next: 'give_up', failure }
    : { next: 'retry', failure, at: new Date(now.getTime() + patience.retryMs) };
}

import type { WithdrawalEventType, WithdrawalStatus } from '@bascule/contracts';
import type { WithdrawalRecord } from './withdrawal-record.js';

/** What can become known about a withdrawal. */
export type WithdrawalFact =
  | { kind: 'submitted'; signature: string }
  /** It is done in a confirmed block, whoever submitted it. */
  | { kind: 'landed'; transactionHash: string }
  /** Our transaction reverted in a confirmed block, or what it would have moved is gone. */
  | { kind: 'failed'; reason: string }
  /** A confirmed block later than its death does not have it. */
  | { kind: 'died' };

export interface Transition {
  change: Partial<
    Pick<
      WithdrawalRecord,
      'submitted' | 'submissions' | 'signature' | 'status' | 'transactionHash' | 'failure'
    >
  >;
  event: WithdrawalEventType;
}

/**
 * From each status, what a fact makes of the withdrawal; null: nothing. `FAILED` gives way to `SUCCESS`, because until it
 * dies anybody who holds the signature may still submit it, and what the chain says is true.
 */
export function transition(record: WithdrawalRecord, fact: WithdrawalFact): Transition | null {
  const from: WithdrawalStatus = record.status;
  switch (fact.kind) {
    case 'submitted':
      if (from !== 'PENDING' || record.submitted) return null;
      return {
        change: { submitted: true, signature: fact.signature },
        event: 'withdrawal.submitted',
      };
    case 'landed':
      if (from === 'SUCCESS') return null;
      return {
        change: { status: 'SUCCESS', transactionHash: fact.transactionHash, failure: null },
        event: 'withdrawal.succeeded',
      };
    case 'failed':
      if (from !== 'PENDING') return null;
      return { change: { status: 'FAILED', failure: fact.reason }, event: 'withdrawal.failed' };
    case 'died':
      if (from !== 'PENDING') return null;
      return { change: { status: 'EXPIRED' }, event: 'withdrawal.expired' };
  }
}

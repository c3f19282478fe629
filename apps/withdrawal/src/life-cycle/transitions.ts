import type { WithdrawalEventType, WithdrawalStatus } from '@bascule/contracts';
import type { WithdrawalRecord } from './withdrawal-record.js';

/** Fact that may change a withdrawal. */
export type WithdrawalFact =
  | { kind: 'submitted'; signature: string }
  /** Executed in a confirmed block, by us or by a third party. */
  | { kind: 'settled'; transactionHash: string }
  /** Our transaction reverted in a confirmed block, or the money is gone. */
  | { kind: 'failed'; reason: string }
  /** Absent from a confirmed block later than its expiry. */
  | { kind: 'expired' };

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
 * Applies a fact to a withdrawal; null when it changes nothing. `FAILED` can become `SUCCESS`: until expiry, any holder of
 * the signature may still submit it.
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
    case 'settled':
      if (from === 'SUCCESS') return null;
      return {
        change: { status: 'SUCCESS', transactionHash: fact.transactionHash, failure: null },
        event: 'withdrawal.succeeded',
      };
    case 'failed':
      if (from !== 'PENDING') return null;
      return { change: { status: 'FAILED', failure: fact.reason }, event: 'withdrawal.failed' };
    case 'expired':
      if (from !== 'PENDING') return null;
      return { change: { status: 'EXPIRED' }, event: 'withdrawal.expired' };
  }
}

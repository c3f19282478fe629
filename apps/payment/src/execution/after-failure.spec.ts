import { describe, expect, it } from '@jest/globals';
import type { Leg } from '../life-cycle/payment-record.js';
import { afterFailure } from './leg-schedule.js';

const patience = { patienceMs: 30_000, retryMs: 2_000, maxTransactions: 3 };
const now = new Date('2026-11-21T12:00:00Z');
const slippage = { reason: 'slippage', message: 'Too little.' } as const;
const leg = (over: Partial<Leg> = {}): Leg => ({
  id: '0',
  index: 0,
  chain: 'alphanet',
  status: 'PENDING',
  attempts: 0,
  transactionHash: null,
  conversion: null,
  dueAt: null,
  settlement: null,
  transfer: null,
  failure: null,
  ...over,
});

describe('a failed attempt', () => {
  it('is followed by another one, with the backoff counted from the first failure', () => {
    const verdict = afterFailure(leg(), slippage, patience, now);
    expect(verdict).toEqual({
      next: 'retry',
      failure: { ...slippage, since: now.toISOString(), tries: 1 },
      at: new Date('2026-11-21T12:00:02Z'),
    });
  });

  it('keeps the time of the first failure', () => {
    const since = '2026-11-21T11:59:50.000Z';
    const { failure } = afterFailure(
      leg({ failure: { ...slippage, since } }),
      slippage,
      patience,
      now,
    );
    expect(failure.since).toBe(since);
  });

  it('keeps the venues at which its simulations failed, each once', () => {
    const before = leg({ failure: { ...slippage, refutedVenues: ['one'] } });
    const refutedBy = (...refutedVenues: string[]) =>
      afterFailure(before, { ...slippage, refutedVenues }, patience, now).failure.refutedVenues;
    expect(refutedBy('two')).toEqual(['one', 'two']);
    expect(refutedBy('one')).toEqual(['one']);
    expect(afterFailure(before, slippage, patience, now).failure.refutedVenues).toEqual(['one']);
  });

  it('is the last one after the retry period', () => {
    const failed = leg({ failure: { ...slippage, since: '2026-11-21T11:59:30.000Z', tries: 4 } });
    expect(afterFailure(failed, slippage, patience, now).next).toBe('give_up');
  });

  it('is not the last one only because attempts were paused', () => {
    const since = '2026-11-21T11:00:00.000Z';
    const verdict = afterFailure(
      leg({ failure: { ...slippage, since, tries: 1 } }),
      slippage,
      patience,
      now,
    );
    expect(verdict).toMatchObject({ next: 'retry', failure: { since, tries: 2 } });
  });

  it('is the last one when too many transactions were sent', () => {
    expect(afterFailure(leg({ attempts: 3 }), slippage, patience, now).next).toBe('give_up');
  });
});

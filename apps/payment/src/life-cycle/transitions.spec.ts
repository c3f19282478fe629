import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { StoredPaymentStatus } from '@bascule/contracts';
import { aPayment, minutesAfter } from '../testing/a-payment.fixture.js';
import type { StatusPair, Trigger } from './transitions.js';
import { applyTrigger, reportedStatus, transition, TRANSITIONS, TRIGGERS } from './transitions.js';

const at = (
  status: StoredPaymentStatus,
  before: StoredPaymentStatus | null = null,
): StatusPair => ({
  status,
  statusBeforeWithdrawal: before,
});
const after = (pair: StatusPair, ...triggers: Trigger[]): StatusPair =>
  triggers.reduce(transition, pair);

const sequences = fc.array(fc.constantFrom(...TRIGGERS), { maxLength: 12 });

describe('transition', () => {
  it.each<[StoredPaymentStatus, Trigger, StoredPaymentStatus]>([
    ['PENDING', 'funding_closed', 'EXPIRED'],
    ['PENDING', 'declaration_expired', 'FAILED'],
    ['PENDING', 'completed', 'COMPLETE'],
    ['PENDING', 'step_failed', 'FAILED'],
    ['PENDING', 'withdrawal_submitted', 'WITHDRAW_PENDING'],
    ['PENDING', 'sanctioned', 'TAINTED'],
    ['FAILED', 'withdrawal_submitted', 'WITHDRAW_PENDING'],
    ['EXPIRED', 'withdrawal_submitted', 'WITHDRAW_PENDING'],
    ['EXPIRED', 'sanctioned', 'TAINTED'],
    ['WITHDRAWN', 'withdrawal_submitted', 'WITHDRAW_PENDING'],
    ['TAINTED', 'withdrawal_submitted', 'WITHDRAW_PENDING'],
  ])('leads from %s with %s to %s', (from, trigger, to) => {
    expect(transition(at(from), trigger).status).toBe(to);
  });

  it.each<[StoredPaymentStatus, Trigger, StoredPaymentStatus]>([
    ['PENDING', 'withdrawal_ended', 'PENDING'],
    ['PENDING', 'withdrawal_mined_partly', 'PENDING'],
    ['PENDING', 'withdrawal_mined_blamed', 'EXPIRED'],
    ['PENDING', 'withdrawal_mined_empty', 'WITHDRAWN'],
    ['FAILED', 'withdrawal_ended', 'FAILED'],
    ['FAILED', 'withdrawal_mined_partly', 'FAILED'],
    ['FAILED', 'withdrawal_mined_blamed', 'FAILED'],
    ['FAILED', 'withdrawal_mined_empty', 'WITHDRAWN'],
    ['EXPIRED', 'withdrawal_ended', 'EXPIRED'],
    ['EXPIRED', 'withdrawal_mined_blamed', 'EXPIRED'],
    ['TAINTED', 'withdrawal_mined_partly', 'TAINTED'],
  ])('leads a withdrawal from %s with %s to %s', (before, trigger, to) => {
    const pair = after(at(before), 'withdrawal_submitted', trigger);
    expect(pair).toEqual(at(to));
  });

  it('reports the status before the withdrawal unless asked for the withdrawal', () => {
    const pair = after(at('FAILED'), 'withdrawal_submitted');
    expect(reportedStatus(pair, false)).toBe('FAILED');
    expect(reportedStatus(pair, true)).toBe('WITHDRAW_PENDING');
    expect(reportedStatus(at('FAILED'), true)).toBe('FAILED');
  });

  it('keeps the deadline of a payment whose status stays', () => {
    const payment = aPayment().build();
    expect(applyTrigger(payment, 'money_found', minutesAfter(1))).toEqual(payment);
    expect(applyTrigger(payment, 'funding_closed', minutesAfter(11)).dueAt).toBeNull();
  });

  it('never leaves COMPLETE', () => {
    fc.assert(
      fc.property(sequences, (triggers) => {
        expect(after(at('COMPLETE'), ...triggers)).toEqual(at('COMPLETE'));
      }),
    );
  });

  it('keeps the earlier status exactly while a withdrawal is pending', () => {
    fc.assert(
      fc.property(sequences, (triggers) => {
        const { status, statusBeforeWithdrawal } = after(at('PENDING'), ...triggers);
        expect(statusBeforeWithdrawal !== null).toBe(status === 'WITHDRAW_PENDING');
        expect(statusBeforeWithdrawal).not.toBe('WITHDRAW_PENDING');
      }),
    );
  });

  it('refuses every transition outside the table', () => {
    fc.assert(
      fc.property(sequences, fc.constantFrom(...TRIGGERS), (triggers, last) => {
        const before = after(at('PENDING'), ...triggers);
        const next = transition(before, last);
        if (TRANSITIONS[before.status][last] === undefined) expect(next).toEqual(before);
      }),
    );
  });

  it('reaches FAILED, EXPIRED or TAINTED only by the triggers in the table', () => {
    const enters = (to: StoredPaymentStatus): Set<Trigger> =>
      new Set(
        Object.values(TRANSITIONS).flatMap((row) =>
          TRIGGERS.filter((trigger) => row[trigger] === to),
        ),
      );
    expect(enters('COMPLETE')).toEqual(new Set(['completed']));
    expect(enters('FAILED')).toEqual(new Set(['declaration_expired', 'step_failed']));
    expect(enters('TAINTED')).toEqual(new Set(['sanctioned']));
    expect(enters('WITHDRAWN')).toEqual(new Set(['withdrawal_mined_empty']));
  });
});

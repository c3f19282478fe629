import type { Payment, PaymentEvent, PaymentStatus } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { deliveryBody, workflowOutcome } from './workflow-outcome.js';

const event = (payment: Partial<Payment>): PaymentEvent =>
  ({
    type: 'payment.updated',
    subject: 'p1',
    time: '2026-11-21T12:00:05.000Z',
    data: { version: 3, payment: { payment_id: 'p1', org_id: 'o1', ...payment } },
  }) as PaymentEvent;

describe('the workflow outcome of a payment event', () => {
  it.each([
    ['COMPLETE', 'WORKFLOW_COMPLETED'],
    ['FAILED', 'WORKFLOW_FAILED'],
  ] as const)('is, for %s, %s', (status, eventType) => {
    const completed_at = '2026-11-21T12:00:00.000Z';
    expect(workflowOutcome(event({ status, completed_at }))).toEqual({
      workflowId: 'p1',
      orgId: 'o1',
      eventType,
      status,
      at: completed_at,
    });
  });

  it.each<PaymentStatus>(['PENDING', 'EXPIRED', 'WITHDRAW_PENDING', 'WITHDRAWN', 'TAINTED'])(
    'is null for %s',
    (status) => {
      expect(workflowOutcome(event({ status }))).toBeNull();
    },
  );

  it('has the time of the event if the payment has none', () => {
    expect(workflowOutcome(event({ status: 'FAILED' }))?.at).toBe('2026-11-21T12:00:05.000Z');
  });

  it('is serialised in the specified form', () => {
    const outcome = workflowOutcome(event({ status: 'FAILED' }));
    expect(outcome && JSON.parse(deliveryBody('d1', outcome).toString())).toEqual({
      id: 'd1',
      time: '2026-11-21T12:00:05.000Z',
      event_type: 'WORKFLOW_FAILED',
      event: { workflow_id: 'p1', status: 'FAILED' },
    });
  });

  it('is marked for a webhook of a test key', () => {
    const outcome = workflowOutcome(event({ status: 'FAILED' }));
    const body = (options: object) => outcome && deliveryBody('d1', outcome, options).toString();
    expect(JSON.parse(String(body({ mode: 'test' })))).toMatchObject({ mode: 'test' });
    expect(body({ mode: 'live' })).toBe(body({}));
  });
});

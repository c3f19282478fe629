import { TOPICS } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { createEnvelope } from './envelope.js';
import { failureGroup } from './failure-group.js';

const groupOf = (data: unknown): string =>
  failureGroup(
    createEnvelope(
      { topic: TOPICS.payment, type: 'payment.funded', key: 'subject', data },
      { source: 'payment', environment: 'test' },
    ),
  );

describe('failureGroup', () => {
  it.each([
    ['of a withdrawal', { org_id: 'a', payment_id: 'p' }, 'organisation a'],
    ['of a payment', { payment: { org_id: 'b' } }, 'organisation b'],
    ['of a price, which belongs to no organisation', { asset: 'usd' }, 'key subject'],
    ['of an organisation id that is no text', { org_id: 7 }, 'key subject'],
  ])('is known from the state %s', (_, data, group) => {
    expect(groupOf(data)).toBe(group);
  });
});

import { TOPICS } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { createEnvelope } from './envelope.js';
import { parseEnvelope } from './parse-envelope.js';

const envelope = createEnvelope(
  { topic: TOPICS.payment, type: 'payment.confirmed', key: 'p1', data: { version: 1 } },
  { source: 'payment', environment: 'production' },
);
const expected = { environment: 'production', types: ['payment.confirmed'] };
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

describe('parseEnvelope', () => {
  it('reads back what was created', () => {
    expect(parseEnvelope(bytes(envelope), expected)).toEqual(envelope);
    expect(envelope).toMatchObject({ specversion: '1.0', source: 'payment', subject: 'p1' });
  });

  it('ignores fields it does not know', () => {
    expect(() => parseEnvelope(bytes({ ...envelope, sampledrate: 1 }), expected)).not.toThrow();
  });

  it.each([
    ['not JSON', Buffer.from('{"specversion":')],
    ['not an event envelope', bytes(null)],
    ['not an event envelope', bytes({ ...envelope, id: 'seven' })],
    ['not an event envelope', bytes({ ...envelope, time: 'yesterday' })],
    ['not an event envelope', bytes({ ...envelope, data: null })],
    ['belongs to the environment "staging"', bytes({ ...envelope, environment: 'staging' })],
    ['unknown event type "payment.lost"', bytes({ ...envelope, type: 'payment.lost' })],
  ])('says why it refuses: %s', (reason, value) => {
    expect(() => parseEnvelope(value, expected)).toThrow(reason);
  });
});

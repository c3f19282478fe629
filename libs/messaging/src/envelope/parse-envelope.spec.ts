import { TOPICS } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { createEnvelope } from './envelope.js';
import { parseEnvelope } from './parse-envelope.js';

const envelope = createEnvelope(
  { topic: TOPICS.payment, type: 'payment.confirmed', key: 'p1', data: { version: 1 } },
  { source: 'payment', environment: 'production' },
);
const expected = { environment: 'production', topic: TOPICS.payment };
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const parse = (value: Buffer, key = 'p1') => parseEnvelope({ key, value }, expected);

describe('parseEnvelope', () => {
  it('parses what createEnvelope wrote', () => {
    expect(parse(bytes(envelope))).toEqual(envelope);
    expect(envelope).toMatchObject({
      specversion: '1.0',
      source: 'payment',
      subject: 'p1',
      dataschema: 'bascule:bascule.payment:1',
    });
  });

  it('ignores unknown fields', () => {
    expect(() => parse(bytes({ ...envelope, sampledrate: 1 }))).not.toThrow();
  });

  it('treats an event without a schema as version 1', () => {
    const { dataschema: _, ...older } = envelope;
    expect(parse(bytes(older))).toEqual(older);
  });

  it.each([
    ['not JSON', Buffer.from('{"specversion":')],
    ['not an event envelope', bytes(null)],
    ['not an event envelope', bytes({ ...envelope, id: 'seven' })],
    ['not an event envelope', bytes({ ...envelope, time: 'yesterday' })],
    ['not an event envelope', bytes({ ...envelope, data: null })],
    ['not an event envelope', bytes({ ...envelope, dataschema: 2 })],
    ['belongs to the environment "staging"', bytes({ ...envelope, environment: 'staging' })],
    [
      'event time 9999-01-01T00:00:00.000Z is more than a day in the future',
      bytes({ ...envelope, time: '9999-01-01T00:00:00.000Z' }),
    ],
    ['unknown event type "payment.lost"', bytes({ ...envelope, type: 'payment.lost' })],
    ['unknown event type "a�b"', bytes({ ...envelope, type: 'a\u0000b' })],
    [
      'unknown schema "bascule:bascule.payment:2", expected bascule:bascule.payment:1',
      bytes({ ...envelope, dataschema: 'bascule:bascule.payment:2' }),
    ],
    [
      `${TOPICS.payment.maxMessageBytes + 2} bytes exceed the limit of ${TOPICS.payment.maxMessageBytes}`,
      bytes('x'.repeat(TOPICS.payment.maxMessageBytes)),
    ],
  ])('rejects with a reason: %s', (reason, value) => {
    expect(() => parse(value)).toThrow(reason);
  });

  it('rejects a key that is too long for an index', () => {
    expect(() => parse(bytes(envelope), 'k'.repeat(1_025))).toThrow('key exceeds 1024 bytes');
  });
});

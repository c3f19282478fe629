import { TOPICS } from '@bascule/contracts';
import { currentTraceparent, runInTrace } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { createEnvelope } from './envelope.js';
import { envelopeTraceparent } from './envelope-traceparent.js';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const written = (key: string): string =>
  JSON.stringify(
    createEnvelope(
      { topic: TOPICS.payment, type: 'payment.confirmed', key, data: { traceparent: 'another' } },
      { source: 'payment', environment: 'test' },
    ),
  );

describe("an envelope's traceparent", () => {
  it.each(['p1', 'a "quoted" \\ key', '"traceparent":"00"'])(
    'is the one of the trace in which the event of %j was created',
    (key) => {
      expect(runInTrace(TRACEPARENT, () => envelopeTraceparent(written(key)))).toBe(TRACEPARENT);
    },
  );

  it('is absent outside of a trace, whatever the data contains', () => {
    expect(currentTraceparent()).toBeUndefined();
    expect(envelopeTraceparent(written('p1'))).toBeUndefined();
    expect(envelopeTraceparent('{}')).toBeUndefined();
  });
});

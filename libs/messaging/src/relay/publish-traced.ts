import { enterTrace, isRecordingSpans, traceHeaders } from '@bascule/process';
import { envelopeTraceparent } from '../envelope/envelope-traceparent.js';
import type { OutgoingRecord } from '../transport/transport.js';
import type { OutboxRecord } from './outbox-record.js';

const HEADERS = { 'content-type': 'application/cloudevents+json; charset=utf-8' };

/** Publishes outbox rows, each with a span in the trace of its append. */
export async function publishTraced(
  rows: readonly OutboxRecord[],
  service: string,
  publish: (records: OutgoingRecord[]) => Promise<void>,
): Promise<void> {
  if (!isRecordingSpans()) {
    await publish(rows.map((row) => record(row, headersOf(envelopeTraceparent(row.envelope)))));
    return;
  }
  const sends = rows.map((row) => {
    const { topic, envelope } = row;
    const scope = enterTrace({
      service,
      name: `send ${topic}`,
      kind: 'producer',
      attributes: {
        'messaging.system': 'kafka',
        'messaging.operation.name': 'send',
        'messaging.operation.type': 'send',
        'messaging.destination.name': topic,
        'messaging.message.body.size': Buffer.byteLength(envelope),
      },
      traceparent: envelopeTraceparent(envelope),
    });
    return { row, scope };
  });
  let isFailure = true;
  try {
    await publish(
      sends.map(({ row, scope }) => record(row, { ...HEADERS, ...scope.run(traceHeaders) })),
    );
    isFailure = false;
  } finally {
    for (const { scope } of sends) scope.end({ isFailure });
  }
}

const headersOf = (traceparent: string | undefined): Record<string, string> =>
  traceparent === undefined ? HEADERS : { ...HEADERS, traceparent };

const record = (
  { topic, key, envelope }: OutboxRecord,
  headers: Record<string, string>,
): OutgoingRecord => ({ topic, key, headers, value: Buffer.from(envelope, 'utf8') });

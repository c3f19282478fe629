import type { Batch, IHeaders } from 'kafkajs';
import type { IncomingRecord } from '../transport.js';

export const recordsOf = ({ topic, partition, messages }: Batch): IncomingRecord[] =>
  messages.map(({ offset, key, value, headers }) => ({
    topic,
    partition,
    offset: BigInt(offset),
    key: key?.toString('utf8') ?? null,
    headers: asText(headers ?? {}),
    value,
  }));

/** Converts headers; the last value of a repeated header wins. */
function asText(headers: IHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== undefined) texts[name] = last.toString();
  }
  return texts;
}

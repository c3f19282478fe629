import { TOPICS } from '@bascule/contracts';
import type { OutgoingRecord } from './transport.js';

const LIMITS = new Map<string, number>(
  Object.values(TOPICS).map(({ name, maxMessageBytes }) => [name, maxMessageBytes]),
);
const UNDECLARED_LIMIT = 512 * 1024;

/** Records larger than their topics allow; the publisher has to set them aside. */
export class RecordTooLargeError extends Error {
  constructor(
    readonly records: readonly OutgoingRecord[],
    options?: ErrorOptions,
  ) {
    const [first] = records;
    const size = first === undefined ? 0 : payloadBytesOf(first.key, first.value);
    super(
      `${records.length} record(s) exceed the limit of their topic, the first with ${size} bytes` +
        ` with the key ${first?.key} for ${first?.topic}`,
      options,
    );
    this.name = 'RecordTooLargeError';
  }
}

/** Size that a topic's limit is compared with, without the small headers. */
export const payloadBytesOf = (key: string, value: Buffer | string | null): number =>
  Buffer.byteLength(key) + (value === null ? 0 : Buffer.byteLength(value));

/** Size of a record with its headers. */
export function bytesOf({ key, value, headers }: OutgoingRecord): number {
  let bytes = payloadBytesOf(key, value);
  for (const [name, text] of Object.entries(headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text);
  }
  return bytes;
}

/** @throws RecordTooLargeError */
export function refuseTooLarge(records: readonly OutgoingRecord[]): void {
  const tooLarge = records.filter(
    ({ topic, key, value }) => payloadBytesOf(key, value) > (LIMITS.get(topic) ?? UNDECLARED_LIMIT),
  );
  if (tooLarge.length > 0) throw new RecordTooLargeError(tooLarge);
}

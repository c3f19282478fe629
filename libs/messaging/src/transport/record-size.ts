import { TOPICS } from '@bascule/contracts';
import type { OutgoingRecord } from './transport.js';

const LIMITS = new Map<string, number>(
  Object.values(TOPICS).map(({ name, maxMessageBytes }) => [name, maxMessageBytes]),
);
const UNDECLARED_LIMIT = 512 * 1024;

/** Records that no topic of theirs takes. They will not become smaller: whoever publishes has to set them aside. */
export class RecordTooLargeError extends Error {
  constructor(
    readonly records: readonly OutgoingRecord[],
    options?: ErrorOptions,
  ) {
    const [first] = records;
    const size = first === undefined ? 0 : payloadBytesOf(first.key, first.value);
    super(
      `${records.length} record(s) larger than their topic takes, the first of ${size} bytes` +
        ` with the key ${first?.key} for ${first?.topic}`,
      options,
    );
    this.name = 'RecordTooLargeError';
  }
}

/** What the limit of a topic is about. Headers are small, and brokers are told of a limit far above. */
export const payloadBytesOf = (key: string, value: Buffer | string | null): number =>
  Buffer.byteLength(key) + (value === null ? 0 : Buffer.byteLength(value));

/** Key, value and headers; what the transport adds is small. */
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

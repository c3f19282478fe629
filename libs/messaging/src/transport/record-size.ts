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
    const size = first === undefined ? 0 : bytesOf(first);
    super(
      `${records.length} record(s) larger than their topic takes, the first of ${size} bytes` +
        ` with the key ${first?.key} for ${first?.topic}`,
      options,
    );
    this.name = 'RecordTooLargeError';
  }
}

/** Key, value and headers; what the transport adds is small. */
export function bytesOf({ key, value, headers }: OutgoingRecord): number {
  let bytes = Buffer.byteLength(key) + (value?.length ?? 0);
  for (const [name, text] of Object.entries(headers)) {
    bytes += Buffer.byteLength(name) + Buffer.byteLength(text);
  }
  return bytes;
}

/** @throws RecordTooLargeError */
export function refuseTooLarge(records: readonly OutgoingRecord[]): void {
  const tooLarge = records.filter(
    (record) => bytesOf(record) > (LIMITS.get(record.topic) ?? UNDECLARED_LIMIT),
  );
  if (tooLarge.length > 0) throw new RecordTooLargeError(tooLarge);
}

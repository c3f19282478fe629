import type { IncomingRecord, RecordBatch, RecordReceiver } from '../transport/transport.js';

/** Keeps what it receives. */
export class Collector implements RecordReceiver {
  readonly records: IncomingRecord[] = [];

  receive(batch: RecordBatch): Promise<void> {
    this.records.push(...batch.records);
    return Promise.resolve();
  }

  release(): Promise<void> {
    return Promise.resolve();
  }

  /** The values of a key, as text, in the order they came. */
  valuesOf(key: string): string[] {
    return this.records
      .filter((record) => record.key === key)
      .map((record) => record.value?.toString() ?? 'tombstone');
  }
}

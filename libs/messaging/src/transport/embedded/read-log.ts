import type { DataSource } from 'typeorm';
import type { Position } from '../offset-commits.js';
import type { ReadOptions } from '../transport.js';
import { fetchRecords, groupProgress } from './log-queries.js';

// Group without members: only the end offsets are needed.
const NO_GROUP = '';

/** Delivers every record up to the current ends, partition by partition. */
export async function readLog({
  dataSource,
  fetchSize,
  topics,
  receiver,
  signal,
}: ReadOptions & { dataSource: DataSource; fetchSize: number }): Promise<void> {
  for (const { topic, partition, end } of await groupProgress(dataSource, NO_GROUP, topics)) {
    const position: Position = { topic, partition, next: 0n };
    while (position.next < end) {
      signal?.throwIfAborted();
      const fetched = await fetchRecords(dataSource, [position], fetchSize);
      const records = fetched.filter(({ offset }) => offset < end);
      const last = records.at(-1);
      if (last === undefined) break;
      await receiver.receive({ topic, partition, records });
      position.next = last.offset + 1n;
    }
  }
  signal?.throwIfAborted();
}

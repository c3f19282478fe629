import { TIMELINE_CAUSES } from '@bascule/contracts';
import type {
  OmittedEntries,
  TimelineEntry,
  TimelineEntryType,
  TimelineFacts,
} from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { NewEntry } from '../timeline/entry.js';
import { place } from '../timeline/room.js';
import type { PlacedEntry } from '../timeline/room.js';

interface EntryRow {
  sequence: number;
  recordedAt: Date;
  type: TimelineEntryType;
  traceId: string | null;
  facts: TimelineFacts;
}

/** Entries as `jsonb_to_recordset` reads them. */
export const entryRows = (entries: readonly PlacedEntry[]): string =>
  JSON.stringify(entries.map(({ sequence, type, facts }) => ({ sequence, type, facts })));

/** Stores and reads timelines; a position is given out under the lock of the payment's row. */
@Injectable()
export class TimelineRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Appends entries in the transaction that holds the payment's lock.
   * @param length of the timeline before
   * @returns the length after
   */
  async append(
    manager: EntityManager,
    { paymentId, length, now, traceId }: TimelineEnd,
    entries: readonly NewEntry[],
  ): Promise<number> {
    const { kept, omitted } = place(entries, length);
    if (kept.length > 0) {
      await manager.query(
        `INSERT INTO timeline_entries (payment_id, sequence, recorded_at, type, trace_id, facts)
         SELECT $1, entry.sequence, $2, entry.type, $3, entry.facts
         FROM jsonb_to_recordset($4::jsonb) AS entry(sequence integer, type text, facts jsonb)`,
        [paymentId, now, traceId, entryRows(kept)],
      );
    }
    const types = Object.entries(Object.groupBy(omitted, ({ type }) => type));
    for (const [type, { length: count }] of types) {
      await this.omit(manager, paymentId, { type: type as TimelineEntryType, count, now });
    }
    return length + kept.length;
  }

  /** Counts entries that the timeline leaves out. */
  async omit(
    manager: EntityManager,
    paymentId: string,
    { type, count, now }: { type: TimelineEntryType; count: number; now: Date },
  ): Promise<void> {
    if (count === 0) return;
    await manager.query(
      `INSERT INTO timeline_omitted AS known (payment_id, type, count, last_at)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (payment_id, type) DO UPDATE
       SET count = known.count + excluded.count, last_at = excluded.last_at`,
      [paymentId, type, count, now],
    );
  }

  /** Whether the newest entry of the same leg, or any one without a leg, says the same: strangers' deposits repeat no wait. */
  async isRepeated(
    manager: EntityManager,
    paymentId: string,
    { type, facts }: NewEntry,
  ): Promise<boolean> {
    const rows: { isSame: boolean }[] = await manager.query(
      `SELECT type = $2 AND facts = $3::jsonb AS "isSame" FROM timeline_entries
       WHERE payment_id = $1 AND facts->'leg' IS NOT DISTINCT FROM $3::jsonb->'leg'
         AND ($3::jsonb ? 'leg' OR (type = $2 AND facts = $3::jsonb))
       ORDER BY sequence DESC LIMIT 1`,
      [paymentId, type, JSON.stringify(facts)],
    );
    return rows[0]?.isSame === true;
  }

  /** Reason for which a leg waits, up to a position; null where something happened to it since. */
  async waitReason(paymentId: string, leg: number, upTo: number): Promise<string | null> {
    const rows: { type: TimelineEntryType; reason: string | null }[] = await this.dataSource.query(
      `SELECT type, facts->>'reason' AS reason FROM timeline_entries
       WHERE payment_id = $1 AND sequence <= $2 AND facts->'leg' = to_jsonb($3::int)
       ORDER BY sequence DESC LIMIT 1`,
      [paymentId, upTo, leg],
    );
    const [newest] = rows;
    return newest?.type === 'leg.waiting' ? newest.reason : null;
  }

  /** Returns at most `limit` entries between two positions, oldest first. */
  async page(
    paymentId: string,
    { after, upTo, limit }: { after: number; upTo: number; limit: number },
  ): Promise<TimelineEntry[]> {
    const values = [paymentId, after, upTo, limit];
    const rows: EntryRow[] = await this.dataSource.query(READ_ENTRIES, values);
    return rows.map(({ sequence, recordedAt, type, traceId, facts }) => ({
      sequence,
      time: recordedAt.toISOString(),
      type,
      cause: TIMELINE_CAUSES[type],
      ...(traceId !== null && { trace_id: traceId }),
      ...facts,
    }));
  }

  async omitted(paymentId: string): Promise<OmittedEntries[]> {
    const rows: { type: TimelineEntryType; count: string; lastAt: Date }[] =
      await this.dataSource.query(
        `SELECT type, count, last_at AS "lastAt" FROM timeline_omitted WHERE payment_id = $1
         ORDER BY type`,
        [paymentId],
      );
    return rows.map(({ type, count, lastAt }) => ({
      type,
      count: Number(count),
      last_time: lastAt.toISOString(),
    }));
  }
}

export const READ_ENTRIES = `
SELECT sequence, recorded_at AS "recordedAt", type, trace_id AS "traceId", facts
FROM timeline_entries WHERE payment_id = $1 AND sequence > $2 AND sequence <= $3
ORDER BY sequence LIMIT $4`;

/** End of a timeline, to which entries are appended. */
export interface TimelineEnd {
  readonly paymentId: string;
  readonly length: number;
  readonly now: Date;
  readonly traceId: string | null;
}

/** Trace id of a W3C `traceparent`. */
export const traceIdOf = (traceparent: string | null | undefined): string | null =>
  traceparent?.split('-')[1] ?? null;

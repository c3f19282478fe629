import type { DataSource } from 'typeorm';
import type { IncomingRecord } from '../transport/transport.js';
import { insertDeadLetter, ParkedEvents } from './parked-events.repository.js';

export interface DeadLetterSummary {
  id: string;
  topic: string;
  key: string;
  attempts: number;
  reason: string;
  deadAt: Date;
  replayedAt: Date | null;
}

interface DeadLetterRow {
  topic: string;
  partition: number;
  offset: string;
  key: string;
  headers: Record<string, string>;
  value: Buffer;
}

/** Events that were given up, kept with their reason until an operator replays them. */
export class DeadLetters {
  private readonly parked: ParkedEvents;

  constructor(private readonly dataSource: DataSource) {
    this.parked = new ParkedEvents(dataSource);
  }

  /** For a record that no attempt can make acceptable. */
  async add(record: IncomingRecord, reason: string): Promise<void> {
    await insertDeadLetter(
      this.dataSource.manager,
      {
        ...record,
        offset: record.offset.toString(),
        key: record.key ?? '',
        value: record.value ?? Buffer.alloc(0),
        attempts: 0,
      },
      reason,
    );
  }

  /** Newest first. */
  async list(limit = 100): Promise<DeadLetterSummary[]> {
    return this.dataSource.query(
      `SELECT id, topic, key, attempts, reason, dead_at AS "deadAt", replayed_at AS "replayedAt"
       FROM dead_letters ORDER BY id DESC LIMIT $1`,
      [limit],
    );
  }

  /** Puts it at the end of its key's queue of parked events. Its state may be older than what is known by now. */
  async replay(id: string): Promise<boolean> {
    const [rows]: [DeadLetterRow[], number] = await this.dataSource.query(
      `UPDATE dead_letters SET replayed_at = now() WHERE id = $1
       RETURNING topic, partition, "offset", key, headers, value`,
      [id],
    );
    const row = rows[0];
    if (row === undefined) return false;
    await this.parked.park(
      { ...row, offset: BigInt(row.offset) },
      { attempts: 0, reason: 'replayed', delayMs: 0 },
    );
    return true;
  }
}

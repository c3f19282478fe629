import type { DataSource, EntityManager } from 'typeorm';
import { dayOf, isWithinRetention } from '../inbox/inbox-days.js';
import { UNPUBLISHED_PARTITION } from './dead-letter-writer.js';
import { ParkedEventsRepository, REPLAYED } from './parked-events.repository.js';

export interface DeadLetterSummary {
  id: string;
  topic: string;
  partition: number;
  offset: string;
  key: string;
  attempts: number;
  reason: string;
  deadAt: Date;
  replayedAt: Date | null;
  discardedAt: Date | null;
  /** Actor of the replay or discard. */
  resolvedBy: string | null;
}

export interface DeadLetterDetails extends DeadLetterSummary {
  headers: Record<string, string>;
  /** Value of the record: parsed JSON, or text. */
  value: unknown;
}

export interface DeadLetterPage {
  /** Id of the last dead letter of the previous page. */
  before?: string | undefined;
  limit: number;
  /** Includes replayed and discarded ones. */
  all?: boolean;
}

export type Resolution =
  'done' | 'not found' | 'replayed already' | 'discarded already' | 'too old';

const SUMMARY = `id, topic, partition, "offset", key, attempts, reason, dead_at AS "deadAt",
  replayed_at AS "replayedAt", discarded_at AS "discardedAt", resolved_by AS "resolvedBy"`;

const WAITING = 'replayed_at IS NULL AND discarded_at IS NULL';

interface Resolved {
  topic: string;
  partition: number;
  offset: string;
  key: string;
  headers: Record<string, string>;
  value: Buffer;
}

/** Dead letters of a service, for its operator. */
export class DeadLetters {
  private readonly parked: ParkedEventsRepository;

  constructor(private readonly dataSource: DataSource) {
    this.parked = new ParkedEventsRepository(dataSource);
  }

  /** Lists dead letters, newest first. */
  list({ before, limit, all = false }: DeadLetterPage): Promise<DeadLetterSummary[]> {
    return this.dataSource.query(
      `SELECT ${SUMMARY} FROM dead_letters
       WHERE ($1::bigint IS NULL OR id < $1)${all ? '' : ` AND ${WAITING}`}
       ORDER BY id DESC LIMIT $2`,
      [before ?? null, limit],
    );
  }

  async show(id: string): Promise<DeadLetterDetails | null> {
    const rows: (DeadLetterSummary & { headers: Record<string, string>; value: Buffer })[] =
      await this.dataSource.query(
        `SELECT ${SUMMARY}, headers, value FROM dead_letters WHERE id = $1`,
        [id],
      );
    const row = rows[0];
    return row === undefined ? null : { ...row, value: decoded(row.value) };
  }

  /** Appends it to its key's queue of parked events, or to the outbox if it was never published. Its state may be outdated by now. */
  async replay(id: string, actor: string): Promise<Resolution> {
    return this.dataSource.transaction(async (manager) => {
      const row = await resolve(manager, id, 'replayed_at', actor);
      if (row === null) return whyNot(manager, id);
      if (row.partition !== UNPUBLISHED_PARTITION && (await isForgotten(manager, row))) {
        // Stays unresolved: whether the event had its effect is unknown.
        await manager.query(
          'UPDATE dead_letters SET replayed_at = NULL, resolved_by = NULL WHERE id = $1',
          [id],
        );
        return 'too old';
      }
      if (row.partition === UNPUBLISHED_PARTITION) {
        await manager.query('INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3)', [
          ...[row.topic, row.key, row.value.toString('utf8')],
        ]);
        return 'done';
      }
      await this.parked.parkWithin(
        manager,
        { ...row, offset: BigInt(row.offset) },
        { attempts: 0, reason: REPLAYED, delayMs: 0, group: null },
      );
      return 'done';
    });
  }

  /** Marks it as discarded; the row stays for the retention. */
  async discard(id: string, actor: string): Promise<Resolution> {
    const { manager } = this.dataSource;
    const row = await resolve(manager, id, 'discarded_at', actor);
    return row === null ? whyNot(manager, id) : 'done';
  }
}

/** Claims a waiting dead letter; one of two concurrent calls succeeds. */
async function resolve(
  manager: EntityManager,
  id: string,
  column: 'replayed_at' | 'discarded_at',
  actor: string,
): Promise<Resolved | null> {
  const [rows]: [Resolved[], number] = await manager.query(
    `UPDATE dead_letters SET ${column} = now(), resolved_by = $2 WHERE id = $1 AND ${WAITING}
     RETURNING topic, partition, "offset", key, headers, value`,
    [id, actor],
  );
  return rows[0] ?? null;
}

/** Whether the inbox would refuse the event as too old. Projections use no inbox. */
async function isForgotten(manager: EntityManager, { topic, value }: Resolved): Promise<boolean> {
  const event = decoded(value);
  if (typeof event !== 'object' || event === null || !('time' in event)) return false;
  const time = new Date(String(event.time));
  if (Number.isNaN(time.getTime()) || isWithinRetention(dayOf(time))) return false;
  const projected: unknown[] = await manager.query(
    'SELECT 1 FROM projection_state WHERE topic = $1',
    [topic],
  );
  return projected.length === 0;
}

async function whyNot(manager: EntityManager, id: string): Promise<Resolution> {
  const rows: { discarded: boolean }[] = await manager.query(
    'SELECT discarded_at IS NOT NULL AS discarded FROM dead_letters WHERE id = $1',
    [id],
  );
  if (rows[0] === undefined) return 'not found';
  return rows[0].discarded ? 'discarded already' : 'replayed already';
}

function decoded(value: Buffer): unknown {
  const text = value.toString('utf8');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

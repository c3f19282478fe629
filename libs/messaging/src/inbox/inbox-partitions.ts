import { type ServiceContext } from '@bascule/process';
import { identifier } from '@bascule/persistence';
import type { DataSource, EntityManager } from 'typeorm';
import {
  dayOf,
  INBOX_RETENTION_DAYS,
  isWithinRetention,
  partitionName,
  partitionsToDrop,
  shiftDay,
} from './inbox-days.js';

const DAYS_AHEAD = 2;
const DROP_WAITS_MS = 200;
const LOCK = `SELECT pg_advisory_xact_lock(hashtext('inbox-partitions'), hashtext(current_schema()))`;
const MAINTENANCE_MS = 60 * 60 * 1_000;

/** Creates the inbox's partitions when a day first needs one, and drops old ones. */
export class InboxPartitions {
  private readonly known = new Set<string>();
  private readonly creating = new Map<string, Promise<boolean>>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
  ) {}

  /** Maintains partitions now and every hour; other days get theirs with their first event. */
  start(): void {
    const maintain = (): void => {
      this.maintain().catch((error: unknown) => {
        this.context.logger.warn({ err: error }, 'inbox partition maintenance failed');
      });
    };
    maintain();
    this.timer = setInterval(maintain, MAINTENANCE_MS);
    this.timer.unref();
    this.context.shutdown.add('intake', 'inbox partitions', () => {
      clearInterval(this.timer);
      return Promise.resolve();
    });
  }

  /** Returns false for a day whose events are forgotten: before the retention, or dropped by an earlier version. */
  async ensure(day: string): Promise<boolean> {
    if (!isWithinRetention(day)) return false;
    return this.known.has(day) || (await this.createOnce(day));
  }

  /** Shares one creation among concurrent events of a day. */
  private createOnce(day: string): Promise<boolean> {
    const creating =
      this.creating.get(day) ?? this.create(day).finally(() => this.creating.delete(day));
    this.creating.set(day, creating);
    return creating;
  }

  /** Creates the partitions of the next days and drops those before the retention. */
  async maintain(): Promise<void> {
    const today = dayOf(new Date());
    for (let ahead = 0; ahead <= DAYS_AHEAD; ahead += 1) await this.create(shiftDay(today, ahead));
    const existing: { name: string }[] = await this.dataSource.query(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'inbox'::regclass`,
    );
    const names = existing.map((row) => row.name);
    for (const name of partitionsToDrop(names, today, INBOX_RETENTION_DAYS)) {
      this.known.delete(name);
      await this.drop(name);
    }
  }

  /** Drops partitions with a short lock timeout, since inserts queue behind this lock; the next try is in an hour. */
  private async drop(name: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await manager.query(`SET LOCAL lock_timeout = '${DROP_WAITS_MS}ms'`);
      await manager.query(LOCK);
      await manager.query(`DROP TABLE IF EXISTS ${identifier(name)}`);
    });
  }

  /** Creates a table and attaches it; creating a partition in place would block inserts. */
  private async create(day: string): Promise<boolean> {
    const isThere = await this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK);
      if (await exists(manager, day)) return true;
      if (await isForgotten(manager, day)) return false;
      const name = identifier(partitionName(day));
      await manager.query(`CREATE TABLE ${name} (LIKE inbox INCLUDING ALL)`);
      await manager.query(
        `ALTER TABLE inbox ATTACH PARTITION ${name} FOR VALUES FROM ('${day}') TO ('${shiftDay(day, 1)}')`,
      );
      return true;
    });
    if (isThere) this.known.add(day);
    return isThere;
  }
}

async function exists(manager: EntityManager, day: string): Promise<boolean> {
  const rows: { found: string | null }[] = await manager.query(
    'SELECT to_regclass($1)::text AS found',
    [partitionName(day)],
  );
  return rows[0]?.found != null;
}

async function isForgotten(manager: EntityManager, day: string): Promise<boolean> {
  const rows: unknown[] = await manager.query('SELECT FROM inbox_horizon WHERE day > $1', [day]);
  return rows.length > 0;
}

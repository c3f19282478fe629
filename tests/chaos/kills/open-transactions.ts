import { setTimeout as delay } from 'node:timers/promises';
import type { Superuser } from '../verify/database-rows.js';

/** Long enough that a running process would have gone on. */
const STILL_MS = 25;

interface Session {
  pid: number;
  changed: string;
  isHandler: boolean;
}

/** Event handlers write into the inbox or into a projection, whose rows have a `seen_at`. */
const WRITES_AS_HANDLER = `EXISTS (
  SELECT FROM pg_locks l JOIN pg_class t ON t.oid = l.relation
  WHERE l.pid = a.pid AND l.mode = 'RowExclusiveLock' AND (t.relname LIKE 'inbox%' OR EXISTS (
    SELECT FROM pg_attribute c WHERE c.attrelid = t.oid AND c.attname = 'seen_at')))`;

/** Sessions of a service that are in the middle of a transaction or statement. */
async function openTransactions(db: Superuser, service: string): Promise<Session[]> {
  return db.rows<Session>(
    `SELECT pid, state_change::text AS changed, ${WRITES_AS_HANDLER} AS "isHandler"
     FROM pg_stat_activity a
     WHERE usename = $1 AND (state = 'active' OR state LIKE 'idle in transaction%')`,
    `bascule_${service.replaceAll('-', '_')}`,
  );
}

export const hasOpenTransactions = async (db: Superuser, service: string): Promise<boolean> =>
  (await openTransactions(db, service)).length > 0;

/** Lists the transactions of a stopped process: unlike those of its replicas, they do not change. */
export async function stoppedTransactions(db: Superuser, service: string): Promise<Session[]> {
  const before = await openTransactions(db, service);
  if (before.length === 0) return [];
  await delay(STILL_MS);
  const after = await openTransactions(db, service);
  return after.filter(({ pid, changed }) =>
    before.some((each) => each.pid === pid && each.changed === changed),
  );
}

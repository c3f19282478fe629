import { fenceParameters, type LeaseFence, lockingLease } from '@bascule/persistence';
import type pg from 'pg';

const LOCK = `SELECT pg_try_advisory_lock(hashtext('bascule-outbox'), hashtext($1)) AS locked`;
const END_WAIT_MS = 1_000;

/** Ends the sessions of earlier leaders that hold the lock, and waits for their end. */
const END_VANISHED = `
  WITH fence AS (${lockingLease(1)})
  SELECT pg_terminate_backend(a.pid, ${END_WAIT_MS})
  FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
  WHERE EXISTS (SELECT FROM fence) AND l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
    AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND l.classid = hashtext('bascule-outbox')::oid AND l.objid = hashtext($4)::oid
    AND (a.application_name = $5 OR a.state_change < now() - $6 * interval '1 millisecond')`;

export const leaderName = (schema: string): string => `bascule/outbox ${schema}`;

/**
 * Takes the advisory lock by which leaders of the previous version lead; false while one of them does. Its holder has
 * vanished when it lost the lease, or when it is of the previous version and has not asked anything for `idleMs`.
 *
 * Remove it together with the lock in the next version.
 */
export async function excludeOlderLeaders(
  client: pg.ClientBase,
  { schema, fence, idleMs }: { schema: string; fence: LeaseFence; idleMs: number },
): Promise<boolean> {
  if (await tryToLock(client, schema)) return true;
  const { rowCount } = await client.query(END_VANISHED, [
    ...fenceParameters(fence),
    schema,
    leaderName(schema),
    idleMs,
  ]);
  return rowCount !== 0 && (await tryToLock(client, schema));
}

async function tryToLock(client: pg.ClientBase, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(LOCK, [schema]);
  return rows[0]?.locked === true;
}

import type { Superuser } from '../../chaos/verify/database-rows.js';
import { fetchOutsideApi } from '../../testing/outside-api.fixture.js';
import type { ServiceName } from '@bascule/composition';

const nameOf = (service: ServiceName): string => service.replaceAll('-', '_');

/**
 * Simulates a database outage for a service: ends all sessions and refuses new ones.
 * @returns a function that restores it
 */
export async function takeDatabaseAway(
  db: Superuser,
  service: ServiceName,
): Promise<() => Promise<void>> {
  const role = `bascule_${nameOf(service)}`;
  await db.rows(`ALTER ROLE ${role} NOLOGIN`);
  await db.rows('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', role);
  return async () => {
    await db.rows(`ALTER ROLE ${role} LOGIN`);
  };
}

/** Counts the payments that ended since then, and those whose event webhook-dispatch has consumed. */
export async function endsConsumed(
  db: Superuser,
  since: Date,
): Promise<{ ended: number; consumed: number }> {
  const [row] = await db.rows<{ ended: number; consumed: number }>(
    `SELECT count(*)::int AS ended, count(d.workflow_id)::int AS consumed
     FROM payment.payments p
     LEFT JOIN (SELECT DISTINCT workflow_id FROM webhook_dispatch.webhook_delivery_log) d ON d.workflow_id = p.id
     WHERE p.completed_at >= $1`,
    since,
  );
  return row ?? { ended: 0, consumed: 0 };
}

/** The sum of a metric's samples whose labels contain `label`. */
export async function metricOf(port: number, name: string, label = ''): Promise<number> {
  const response = await fetchOutsideApi(`http://127.0.0.1:${port}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines
    .filter((line) => line.startsWith(name) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

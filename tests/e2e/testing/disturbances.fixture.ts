import type { Superuser } from '../../chaos/verify/databases.js';
import type { ServiceName } from '@bascule/composition';

const nameOf = (service: ServiceName): string => service.replaceAll('-', '_');

/**
 * To the service it is as if its database had gone: every session ends and none can be opened.
 * @returns what brings it back
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

/** From the commit of a payment's end to the commit of what webhook-dispatch made of the event; sorted. */
export async function consumptionLagsMs(db: Superuser, since: Date): Promise<number[]> {
  const rows = await db.rows<{ ms: number }>(
    `SELECT (extract(epoch FROM min(d.created_at) - p.completed_at) * 1000)::float8 AS ms
     FROM payment.payments p JOIN webhook_dispatch.webhook_delivery_log d ON d.workflow_id = p.id
     WHERE p.completed_at >= $1 GROUP BY p.id ORDER BY 1`,
    since,
  );
  return rows.map(({ ms }) => ms);
}

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;

/** The sum of a metric's samples whose labels have this in them. */
export async function metricOf(port: number, name: string, label = ''): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  const lines = (await response.text()).split('\n');
  return lines
    .filter((line) => line.startsWith(name) && line.includes(label))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

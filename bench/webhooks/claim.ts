import { runMigrationsOf } from '@bascule/persistence';
import { CLAIM, LANES } from '../../apps/webhook-dispatch/dist/persistence/claim.repository.js';
import {
  entities,
  migrations,
} from '../../apps/webhook-dispatch/dist/persistence/persistence.config.js';
import pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startDatabase } from '../lib/database.js';
import { median } from '../lib/rounds.js';

const SMALL = 10_000;
const WEBHOOKS = 50;
const DUE = 64;
const TIMES = 300;
const CHUNK = 500_000;

/** Finding the lanes and claiming from them, with ten thousand deliveries that are not due yet and with ten million. */
export async function benchClaim(large: number): Promise<void> {
  const server = await startDatabase();
  const database = await server.provision('webhook_dispatch');
  await runMigrationsOf({ database, entities, migrations });
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query('SET search_path = webhook_dispatch');
    const webhooks = Array.from({ length: WEBHOOKS }, () => uuidv7());
    for (const id of webhooks) {
      await client.query(
        `INSERT INTO webhooks (id, org_id, label, url, event_types)
         VALUES ($1::uuid, $1::uuid::text, 'bench', 'https://example.com/', '{WORKFLOW_COMPLETED}')`,
        [id],
      );
    }
    await grow(client, webhooks, SMALL, '0');
    await grow(client, webhooks, DUE, '-1 hour');
    const small = await measure(client, webhooks);
    for (let rows = SMALL; rows < large; rows += CHUNK) {
      await grow(client, webhooks, Math.min(CHUNK, large - rows), '0');
    }
    const many = await measure(client, webhooks);
    console.log(`claim, ${SMALL} rows      ${small.toFixed(3)} ms (median of ${TIMES})`);
    console.log(`claim, ${large} rows   ${many.toFixed(3)} ms (median of ${TIMES})`);
    console.log(`many / few              ${(many / small).toFixed(2)}`);
  } finally {
    await client.end();
    await server.remove();
  }
}

/** Due over the coming day, or so long ago; spread over the webhooks. */
async function grow(
  client: pg.Client,
  webhooks: readonly string[],
  rows: number,
  shift: string,
): Promise<void> {
  await client.query(
    `INSERT INTO webhook_deliveries
       (id, webhook_id, workflow_id, event_type, body, status, due_at, resent)
     SELECT gen_random_uuid(), ($1::uuid[])[n % $2 + 1], gen_random_uuid(), 'WORKFLOW_COMPLETED',
       '\\x7b7d', 'PENDING',
       CASE WHEN $4 = '0' THEN now() + (n % 80000 + 3600) * interval '1 second'
         ELSE now() + $4::interval END, true
     FROM generate_series(1, $3::integer) AS n`,
    [webhooks, webhooks.length, rows, shift],
  );
}

async function measure(client: pg.Client, webhooks: readonly string[]): Promise<number> {
  await client.query('VACUUM ANALYZE webhook_deliveries');
  const lanes = ['00000000-0000-0000-0000-000000000000', 200, 16, 5];
  const claim = [
    webhooks.map(() => 'regular'),
    webhooks,
    webhooks.map(() => 1),
    webhooks.map(() => null),
    20_000,
    1,
  ];
  const times: number[] = [];
  for (let n = 0; n < TIMES; n += 1) {
    await client.query('BEGIN');
    const started = performance.now();
    await client.query(LANES, lanes);
    await client.query(CLAIM, claim);
    times.push(performance.now() - started);
    await client.query('ROLLBACK');
    // What was rolled back is dead weight for both sizes alike.
    if (n % 100 === 99) await client.query('VACUUM webhook_deliveries');
  }
  return median(times);
}

import { connectClient, runMigrationsOf, type DatabaseConfig } from '@bascule/persistence';
import {
  CLAIM,
  DUE_WEBHOOKS,
} from '../../apps/webhook-dispatch/dist/persistence/claim.repository.js';
import {
  entities,
  migrations,
} from '../../apps/webhook-dispatch/dist/persistence/persistence.config.js';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startDatabase } from '../lib/database.js';
import { inTurns, median } from '../lib/rounds.js';

const SMALL = 10_000;
const WEBHOOKS = 50;
const ROUNDS = 20;
const TURNS = 60;
const CHUNK = 1_000_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface Table {
  client: pg.Client;
  webhooks: string[];
}

/**
 * Finding due webhooks and claiming from them, with ten thousand deliveries and with ten million, of which in both the same
 * number is due. The two take turns, so that only what lies in the tables tells them apart.
 */
export async function benchClaim(large: number): Promise<void> {
  const server = await startDatabase();
  const tables: Table[] = [];
  try {
    const few = await createTable(await server.provision('few'), SMALL);
    tables.push(few);
    const building = performance.now();
    const many = await createTable(await server.provision('many'), large);
    tables.push(many);
    console.log(`${large} rows built in ${((performance.now() - building) / 1_000).toFixed(0)} s`);
    await turn(few);
    await turn(many);
    const turns = await inTurns(
      TURNS,
      () => turn(few),
      () => turn(many),
    );
    const ratios = turns.map(([a, b]) => b / a);
    const perClaim = (times: number[]): string => median(times).toFixed(2);
    console.log(`claim, ${SMALL} rows      ${perClaim(turns.map(([a]) => a))} ms (median)`);
    console.log(`claim, ${large} rows   ${perClaim(turns.map(([, b]) => b))} ms (median)`);
    const best = Math.min(...turns.map(([, b]) => b)) / Math.min(...turns.map(([a]) => a));
    console.log(`many / few, best turns  ${best.toFixed(2)}`);
    console.log(
      `many / few              ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ${TURNS} turns of ${ROUNDS} claims of ${WEBHOOKS})`,
    );
  } finally {
    for (const { client } of tables) await client.end();
    await server.remove();
  }
}

async function createTable(database: DatabaseConfig, rows: number): Promise<Table> {
  await runMigrationsOf({ database, entities, migrations });
  const client = await connectClient({
    connectionString: database.url,
    options: '-c statement_timeout=0',
  });
  await client.query(`SET search_path = ${database.schema}`);
  const webhooks = Array.from({ length: WEBHOOKS }, () => uuidv7());
  await client.query(
    `INSERT INTO webhooks (id, org_id, label, url, event_types)
     SELECT id, id, 'bench', 'https://example.com/', '{WORKFLOW_COMPLETED}'
     FROM unnest($1::uuid[]) AS w (id)`,
    [webhooks],
  );
  await withoutIndexes(client, async () => {
    for (let left = rows; left > 0; left -= CHUNK) {
      await grow({ client, webhooks }, Math.min(CHUNK, left));
    }
  });
  await client.query('VACUUM ANALYZE webhook_deliveries');
  return { client, webhooks };
}

/** Building the indexes of a full table takes a fraction of what filling them row by row would. */
async function withoutIndexes(client: pg.Client, fill: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
     WHERE indrelid = 'webhook_deliveries'::regclass AND NOT indisunique`,
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  await fill();
  await client.query(`SET maintenance_work_mem = '512MB'`);
  for (const { definition } of rows) await client.query(definition);
}

/** Due over the coming day, spread over the webhooks. */
async function grow({ client, webhooks }: Table, rows: number): Promise<void> {
  await client.query(
    `INSERT INTO webhook_deliveries
       (id, webhook_id, workflow_id, event_type, body, status, due_at, resent)
     SELECT uuidv7(), ($1::uuid[])[n % $2 + 1], uuidv7(), 'WORKFLOW_COMPLETED',
       '\\x7b7d', 'PENDING', now() + (n % 80000 + 3600) * interval '1 second', true
     FROM generate_series(1, $3::integer) AS n`,
    [webhooks, webhooks.length, rows],
  );
}

/** The milliseconds of a claim: as many are made due as are claimed, and each claim is committed, as in the service. */
async function turn({ client, webhooks }: Table): Promise<number> {
  await client.query(
    `UPDATE webhook_deliveries d SET due_at = now() - interval '1 minute', claimed_at = NULL
     FROM unnest($1::uuid[]) AS w (id) CROSS JOIN LATERAL (
       SELECT ctid FROM webhook_deliveries WHERE webhook_id = w.id AND due_at IS NOT NULL
       ORDER BY due_at LIMIT $2
     ) AS first
     WHERE d.ctid = first.ctid`,
    [webhooks, ROUNDS],
  );
  const claim = [
    webhooks.map(() => 'regular'),
    webhooks,
    webhooks.map(() => 1),
    webhooks.map(() => null),
    20_000,
    1,
  ];
  const started = performance.now();
  for (let n = 0; n < ROUNDS; n += 1) {
    await client.query(DUE_WEBHOOKS, [FIRST, 200, 16, 5]);
    const { rows } = await client.query(CLAIM, claim);
    if (rows.length !== WEBHOOKS) throw new Error(`${rows.length} claimed`);
  }
  return (performance.now() - started) / ROUNDS;
}

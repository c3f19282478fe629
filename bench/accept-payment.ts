// Accepting a payment (its rows, its uniqueness, its event, one statement) against a raw single-statement insert of
// the same payment as one JSON row, in the same Postgres, in turns.
import { Outbox } from '@bascule/messaging';
import { createDataSource, runMigrationsOf } from '@bascule/persistence';
import { PaymentAcceptanceRepository } from '../apps/payment/dist/persistence/payment-acceptance.repository.js';
import { toJson } from '../apps/payment/dist/persistence/payment-row.js';
import { entities, migrations } from '../apps/payment/dist/persistence/persistence.config.js';
import { startDatabase } from './lib/database.js';
import { unlimitedQuota } from './lib/unlimited-quota.js';
import { aConfirmedPayment } from './lib/payments.js';
import { openPool } from './lib/pool.js';
import { inTurns, median, throughput } from './lib/rounds.js';

const ORG_ID = '0190b2c3-0000-7000-8000-000000000001';
const LANES = 8;
const TURN_MS = 3_000;
const TURNS = 8;

const server = await startDatabase();
const database = await server.provision('payment');
await runMigrationsOf({ database, entities, migrations });
const dataSource = createDataSource({ database, entities, migrations });
await dataSource.initialize();
const pool = openPool({ connectionString: database.url, max: database.poolSize });
try {
  await pool.query('CREATE TABLE raw_payments (id uuid PRIMARY KEY, org_id text, body jsonb)');
  const outbox = new Outbox({ source: 'payment', environment: 'bench' }, { wake: () => undefined });
  const acceptance = new PaymentAcceptanceRepository(
    dataSource,
    outbox,
    unlimitedQuota(dataSource),
    {
      dustUsd: '0.05',
      stalledAfterMs: 600_000,
      taintUsd: '1',
      acceptsUnknownSenders: false,
    },
  );

  const accept = () => acceptance.accept(aConfirmedPayment(ORG_ID));
  const insert = () => {
    const payment = aConfirmedPayment(ORG_ID);
    return pool.query('INSERT INTO raw_payments (id, org_id, body) VALUES ($1, $2, $3)', [
      payment.id,
      payment.orgId,
      toJson(payment),
    ]);
  };
  const run = (work: () => Promise<unknown>) => throughput(work, { lanes: LANES, forMs: TURN_MS });

  await run(accept);
  await run(insert);
  const turns = await inTurns(
    TURNS,
    () => run(accept),
    () => run(insert),
  );
  const ratios = turns.map(([accepted, inserted]) => accepted / inserted);
  console.log(`accepted payments   ${median(turns.map(([a]) => a)).toFixed(0)} /s (median)`);
  console.log(`raw inserts         ${median(turns.map(([, b]) => b)).toFixed(0)} /s (median)`);
  console.log(
    `accept / raw        ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ${TURNS} turns, ${LANES} lanes)`,
  );
} finally {
  await pool.end();
  await dataSource.destroy();
  await server.remove();
}

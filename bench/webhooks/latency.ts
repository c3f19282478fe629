import { setTimeout as delay } from 'node:timers/promises';
import { TOPICS } from '@bascule/contracts';
import { serverEnv, startService } from '@bascule/service-host';
import {
  MessagingModule,
  messagingEntities,
  messagingMigrations,
  Outbox,
} from '@bascule/messaging';
import { PersistenceModule, runMigrationsOf, type DatabaseConfig } from '@bascule/persistence';
import { parseConfig } from '@bascule/process';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { openPool } from '../lib/pool.js';
import { quantile } from '../lib/rounds.js';
import { startStage, type Stage } from './stage.js';

const RECEIVERS = 20;
const PER_SECOND = 500;
const TICK_MS = 10;
const WARM_UP = 3 * PER_SECOND;
const MEASURED = 20 * PER_SECOND;
const ARRIVAL_MS = 30_000;

/** From the commit of a payment's event, through outbox, relay, log and inbox, to the receiver. */
export async function benchLatency(): Promise<void> {
  const stage = await startStage(RECEIVERS);
  const database = await stage.server.provision('payment');
  const payment = await startPublisher(database);
  const options = `-c search_path=${database.schema}`;
  const pool = openPool({ connectionString: database.url, max: database.poolSize, options });
  try {
    const committed = await publishAtRate(payment.app.get(Outbox), pool, stage);
    const times = await arrivals(stage, committed);
    const measured = [...committed].slice(WARM_UP);
    report(
      `commit to receipt at ${PER_SECOND}/s`,
      measured.map(([workflow, at]) => (times[workflow] ?? Number.POSITIVE_INFINITY) - at),
    );
    const stages = await stagesOf(stage);
    const spans = measured.flatMap(([workflow, at]) => {
      const [found, received] = [stages.get(workflow), times[workflow]];
      if (found === undefined || received === undefined) return [];
      const { enqueued, claimed } = found;
      return [
        { enqueueing: enqueued - at, claiming: claimed - enqueued, sending: received - claimed },
      ];
    });
    report(
      '  commit to enqueueing',
      spans.map(({ enqueueing }) => enqueueing),
    );
    report(
      '  enqueueing to claim',
      spans.map(({ claiming }) => claiming),
    );
    report(
      '  claim to receipt',
      spans.map(({ sending }) => sending),
    );
    const cpu = (stage.service.cpuSeconds() * 1_000) / committed.size;
    console.log(`CPU of the service's process, its start included: ${cpu.toFixed(2)} ms per event`);
  } finally {
    await pool.end();
    await payment.shutdown({ graceMs: 0 });
    await stage.end();
  }
}

function report(name: string, waits: readonly number[]): void {
  const sorted = [...waits].sort((a, b) => a - b);
  const at = (share: number): string => quantile(sorted, share).toFixed(0);
  console.log(
    `${name.padEnd(28)} p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms (${sorted.length} events)`,
  );
}

/** When the transactions that enqueued and claimed began, in milliseconds, by the same clock as the rest. */
async function stagesOf({
  client,
}: Stage): Promise<Map<string, { enqueued: number; claimed: number }>> {
  const { rows } = await client.query<{ workflow: string; enqueued: number; claimed: number }>(
    `SELECT l.workflow_id AS workflow,
       (extract(epoch FROM l.created_at) * 1000)::double precision AS enqueued,
       (extract(epoch FROM a.started_at) * 1000)::double precision AS claimed
     FROM webhook_delivery_log l JOIN webhook_attempts a ON a.delivery_id = l.id AND a.number = 1`,
  );
  return new Map(rows.map((row) => [row.workflow, row]));
}

/** The part of the payment service that publishes. */
async function startPublisher(database: DatabaseConfig): ReturnType<typeof startService> {
  const entities = messagingEntities;
  const migrations = messagingMigrations;
  await runMigrationsOf({ database, entities, migrations });
  return startService(
    {
      name: 'payment',
      parseConfig: (env) => parseConfig(env, serverEnv),
      module: () => ({
        module: class Publisher {},
        imports: [
          PersistenceModule.register({ database, entities, migrations }),
          MessagingModule.register({
            group: 'payment',
            publishes: true,
            consumes: false,
            environment: 'bench',
            kafka: undefined,
          }),
        ],
      }),
    },
    { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', ENVIRONMENT: 'bench' },
  );
}

/**
 * When each payment's event was committed, each in a transaction of its own. An open loop: what is slow is not asked less.
 * The commits are no part of what is measured, so they take as little of the machine as they can.
 */
async function publishAtRate(
  outbox: Outbox,
  pool: pg.Pool,
  { webhooks }: Stage,
): Promise<Map<string, number>> {
  const committed = new Map<string, number>();
  const publishOne = async (n: number): Promise<void> => {
    const id = uuidv7();
    const row = outbox.outboxRow({
      topic: TOPICS.payment,
      type: 'payment.completed',
      key: id,
      data: {
        version: 2,
        payment: {
          payment_id: id,
          org_id: webhooks[n % webhooks.length]?.orgId,
          status: 'COMPLETE',
          completed_at: new Date().toISOString(),
        },
      },
    });
    await pool.query({
      name: 'append',
      text: 'INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3)',
      values: [row.topic, row.key, row.envelope],
    });
    committed.set(id, Date.now());
    outbox.wakeAfterCommit();
  };
  const started = performance.now();
  const failures: unknown[] = [];
  const published: Promise<unknown>[] = [];
  while (published.length < WARM_UP + MEASURED) {
    const due = ((performance.now() - started) * PER_SECOND) / 1_000;
    while (published.length < Math.min(due, WARM_UP + MEASURED)) {
      published.push(publishOne(published.length).catch((error) => failures.push(error)));
    }
    await delay(TICK_MS);
  }
  await Promise.all(published);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} not published`);
  return committed;
}

async function arrivals(
  stage: Stage,
  committed: ReadonlyMap<string, number>,
): Promise<Record<string, number>> {
  const deadline = Date.now() + ARRIVAL_MS;
  for (;;) {
    const times = await stage.times();
    if (Object.keys(times).length >= committed.size || Date.now() > deadline) return times;
    await delay(500);
  }
}

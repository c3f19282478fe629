import { setTimeout as delay } from 'node:timers/promises';
import { deliveryBody } from '../../apps/webhook-dispatch/dist/rules/workflow-outcome.js';
import { v7 as uuidv7 } from 'uuid';
import { inTurns, median } from '../lib/rounds.js';
import { startStage, type Stage } from './stage.js';

const RECEIVERS = 20;
const DELIVERIES = 10_000;
const LANES = 256;
const TURNS = 5;

/** Deliveries per CPU second of the service's process, beside posts per CPU second of bare undici from memory. */
export async function benchThroughput(): Promise<void> {
  const stage = await startStage(RECEIVERS);
  try {
    const body = aBody(uuidv7()).toString();
    const floor = (): Promise<number> =>
      stage.floor({ BODY: body, REQUESTS: String(DELIVERIES), LANES: String(LANES) });
    const ours = (): Promise<number> => deliver(stage);
    await ours();
    const turns = await inTurns(TURNS, ours, floor);
    const ratios = turns.map(([a, b]) => a / b);
    console.log(
      `deliveries per CPU second    ${median(turns.map(([a]) => a)).toFixed(0)} (median)`,
    );
    console.log(
      `bare posts per CPU second    ${median(turns.map(([, b]) => b)).toFixed(0)} (median)`,
    );
    console.log(
      `delivered / bare             ${median(ratios).toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}, ${TURNS} turns of ${DELIVERIES})`,
    );
  } finally {
    await stage.end();
  }
}

function aBody(id: string): Buffer {
  return deliveryBody(id, {
    workflowId: uuidv7(),
    orgId: '',
    eventType: 'WORKFLOW_COMPLETED',
    status: 'COMPLETE',
    at: new Date().toISOString(),
  });
}

/** Enqueued at once; the CPU time is the service's until the last one has been written down. */
async function deliver(stage: Stage): Promise<number> {
  const { client, service, webhooks } = stage;
  const before = await stage.received();
  const cpu = service.cpuSeconds();
  const deliveries = Array.from({ length: DELIVERIES }, (_, n) => {
    const id = uuidv7();
    return { id, webhookId: webhooks[n % webhooks.length]?.id, body: aBody(id) };
  });
  await client.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, workflow_id, event_type, body, status, due_at)
     SELECT d.id, d.webhook_id, d.id, 'WORKFLOW_COMPLETED', d.body, 'PENDING', now()
     FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) AS d (id, webhook_id, body)`,
    [
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ body }) => body),
    ],
  );
  for (;;) {
    const { rows } = await client.query<{ left: boolean }>(
      'SELECT EXISTS (SELECT FROM webhook_deliveries) AS left',
    );
    if (rows[0]?.left === false) break;
    await delay(50);
  }
  const got = (await stage.received()) - before;
  if (got !== DELIVERIES) throw new Error(`${got} of ${DELIVERIES} came`);
  return DELIVERIES / (service.cpuSeconds() - cpu);
}

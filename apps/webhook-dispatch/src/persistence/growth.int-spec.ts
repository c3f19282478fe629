import { eventually } from '@bascule/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { DispatcherWorker } from '../delivery/dispatcher.worker.js';
import { MaintenanceWorker } from '../maintenance/maintenance.worker.js';
import { firstUuidOf } from '../maintenance/weeks.js';
import { paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';
import { CLAIM, DUE_WEBHOOKS } from './claim.repository.js';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)];

const SMALL = 10_000;
const LARGE = 200_000;
/** Statement timeout of a service. */
const CHUNK = 20_000;
const WEBHOOKS = 20;
/** Due deliveries of each webhook, and the claimed ones. */
const DUE = 16;
const EACH = 4;
const DAY_MS = 86_400_000;

describe('a growing backlog of deliveries', () => {
  const { running, query } = useDispatcher();
  const database = (): DataSource => running().app.get(DataSource);

  /** Adds this many deliveries to each of these webhooks in turn. */
  const grow = async (
    webhookIds: readonly string[],
    count: number,
    { due = false } = {},
  ): Promise<void> => {
    for (let done = 0; done < count; done += CHUNK) {
      await query(
        `INSERT INTO webhook_deliveries
         (id, webhook_id, workflow_id, event_type, body, status, due_at, resent)
       SELECT gen_random_uuid(), ($1::uuid[])[n % $2 + 1], gen_random_uuid(), 'WORKFLOW_COMPLETED',
         '\\x7b7d', 'PENDING', CASE WHEN $4 THEN now() - interval '1 hour'
           ELSE now() + (n % 28000 + 600) * interval '1 second' END, true
       FROM generate_series(1, $3::integer) AS n`,
        [webhookIds, webhookIds.length, Math.min(CHUNK, count - done), due],
      );
    }
  };
  const explain = async (statement: string, parameters: unknown[]): Promise<Plan[]> => {
    const runner = database().createQueryRunner();
    await runner.startTransaction();
    try {
      const rows = (await runner.query(
        `EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) ${statement}`,
        parameters,
      )) as { 'QUERY PLAN': { Plan: Plan }[] }[];
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      if (plan === undefined) throw new Error('no plan');
      return flat(plan);
    } finally {
      await runner.rollbackTransaction();
      await runner.release();
    }
  };
  /** Rows that a scan returned, and rows that it filtered out. */
  const rowsRead = (nodes: readonly Plan[]): number =>
    nodes
      .filter((node) => node['Relation Name'] === 'webhook_deliveries')
      .map((node) => ({ ...node, removed: node['Rows Removed by Filter'] ?? 0 }))
      .reduce((sum, node) => sum + (node['Actual Rows'] + node.removed) * node['Actual Loops'], 0);

  /** Plans of finding due webhooks and of claiming, with the dispatcher stopped. */
  const claimOf = async (webhooks: readonly string[]) => {
    const page = ['00000000-0000-0000-0000-000000000000', 200, DUE, 5];
    const claim = [
      webhooks.map(() => 'regular'),
      webhooks,
      webhooks.map(() => EACH),
      webhooks.map(() => null),
      20_000,
      EACH,
    ];
    const plans = [await explain(DUE_WEBHOOKS, page), await explain(CLAIM, claim)];
    expect(plans.map(([root]) => root?.['Actual Rows'])).toEqual([
      webhooks.length,
      webhooks.length * EACH,
    ]);
    for (const nodes of plans) {
      const scans = nodes.filter((node) => node['Relation Name'] === 'webhook_deliveries');
      for (const { 'Node Type': type, 'Index Name': index } of scans) {
        expect(type).toMatch(/^(Index|Tid|ModifyTable)/);
        if (type.startsWith('Index'))
          expect(index).toBe('webhook_deliveries_webhook_id_due_at_idx');
      }
    }
    return plans.map((nodes) => ({
      rows: rowsRead(nodes),
      blocks: (nodes[0]?.['Shared Hit Blocks'] ?? 0) + (nodes[0]?.['Shared Read Blocks'] ?? 0),
    }));
  };

  it('does not slow claims: they read the same rows through the same index at twenty times the size', async () => {
    const webhooks = Array.from({ length: WEBHOOKS }, () => uuidv7()).sort();
    const [flooded = '', ...others] = webhooks;
    await query(
      `INSERT INTO webhooks (id, org_id, label, url, event_types)
       SELECT id, id, 'growth', 'https://example.com/', '{WORKFLOW_COMPLETED}'
       FROM unnest($1::uuid[]) AS w (id)`,
      [webhooks],
    );
    await running().app.get(DispatcherWorker).stopClaiming();
    await grow(webhooks, SMALL);
    await query('ANALYZE webhook_deliveries');
    // Not analysed: the planner assumes that nothing is due.
    await grow(webhooks, WEBHOOKS * DUE, { due: true });
    const small = await claimOf(webhooks);
    await grow([flooded], CHUNK, { due: true });
    const flood = await claimOf(webhooks);
    await grow(others, LARGE - SMALL);
    await query('ANALYZE webhook_deliveries');
    const large = await claimOf(webhooks);
    for (const later of [flood, large]) {
      for (const [n, { rows, blocks }] of later.entries()) {
        expect(rows).toBeLessThanOrEqual((small[n]?.rows ?? 0) * 1.2);
        // An index with one more level costs one more block.
        expect(blocks).toBeLessThanOrEqual((small[n]?.blocks ?? 0) * 1.6);
      }
    }
  });
});

describe('ended deliveries', () => {
  const { running, register, receiver, query, publish, deliveriesOf } = useDispatcher({
    WEBHOOK_RETENTION_DAYS: '60',
  });
  // The service starts with it, too, without waiting.
  beforeAll(() => running().app.get(MaintenanceWorker).maintainPartitions());

  it('leave the table that claims read', async () => {
    const orgId = uuidv7();
    const { id } = await register(orgId, (await receiver()).url);
    await publish(...Array.from({ length: 5 }, () => paymentEvent(orgId, { status: 'COMPLETE' })));
    await eventually(async () => {
      const deliveries = await deliveriesOf(id);
      expect(deliveries.map(({ status }) => status)).toEqual(Array(5).fill('DELIVERED'));
    });
    expect(await query('SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1', [id])).toEqual([]);
    const kept = await query<{ body: boolean; week: string }>(
      `SELECT body IS NOT NULL AS body, tableoid::regclass::text AS week
       FROM webhook_delivery_log WHERE webhook_id = $1`,
      [id],
    );
    for (const { body, week } of kept) {
      expect(body).toBe(true);
      expect(week).toMatch(/^webhook_delivery_log_\d{8}$/);
    }
  });

  it('prevent another delivery of the same payment', async () => {
    const orgId = uuidv7();
    const target = await receiver();
    const { id } = await register(orgId, target.url);
    const event = paymentEvent(orgId, { status: 'COMPLETE' });
    await publish(event);
    await eventually(async () => {
      expect(await deliveriesOf(id)).toMatchObject([{ status: 'DELIVERED' }]);
    });
    await publish(
      paymentEvent(orgId, { status: 'COMPLETE', id: event.subject, version: 3 }),
      // An event from before the retention may have been delivered and deleted.
      paymentEvent(orgId, { status: 'COMPLETE', at: new Date(Date.now() - 61 * DAY_MS) }),
      paymentEvent(orgId, { status: 'FAILED' }),
    );
    await eventually(() => {
      expect(target.requests).toHaveLength(2);
    });
    expect(await deliveriesOf(id)).toHaveLength(2);
  });

  it('are partitioned by week in advance, and deleted after the retention', async () => {
    const maintenance = running().app.get(MaintenanceWorker);
    const { id: webhookId } = await register(uuidv7(), (await receiver()).url);
    const weeks = () =>
      query<{ name: string }>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits
         WHERE inhparent IN ('webhook_delivery_log'::regclass, 'webhook_attempts'::regclass)`,
      ).then((rows) => rows.map(({ name }) => name));
    expect((await weeks()).filter((name) => /log_\d/.test(name)).length).toBeGreaterThanOrEqual(7);
    expect((await weeks()).filter((name) => /attempts_\d/.test(name))).toHaveLength(3);
    // A row without a partition goes to the rest, and moves when its week is created.
    const then = new Date(Date.now() + 60 * DAY_MS);
    const early = firstUuidOf(then).replace(/0000-0000-0{12}$/, '7000-8000-000000000001');
    const entry = (workflowId: string, createdAt: Date) =>
      query(
        `INSERT INTO webhook_delivery_log (id, org_id, webhook_id, workflow_id, event_type, test,
           status, created_at)
         VALUES ($1, 'o', $2, $3, 'WORKFLOW_FAILED', false, 'FAILED', $4)`,
        [uuidv7(), webhookId, workflowId, createdAt],
      );
    const placeOf = (workflowId: string) =>
      query<{ place: string }>(
        'SELECT tableoid::regclass::text AS place FROM webhook_delivery_log WHERE workflow_id = $1',
        [workflowId],
      ).then(([row]) => row?.place);
    await entry(early, then);
    expect(await placeOf(early)).toBe('webhook_delivery_log_rest');
    const current = uuidv7();
    await entry(current, new Date());
    await maintenance.maintainPartitions(then);
    expect(await placeOf(early)).toMatch(/log_\d{8}$/);
    expect(await placeOf(current)).toMatch(/log_\d{8}$/);
    // After the retention and the longest payment, the week of today is dropped, and that one remains.
    await maintenance.maintainPartitions(new Date(Date.now() + 110 * DAY_MS));
    expect(await placeOf(current)).toBeUndefined();
    expect(await placeOf(early)).toMatch(/log_\d{8}$/);
    await maintenance.maintainPartitions();
  });
});

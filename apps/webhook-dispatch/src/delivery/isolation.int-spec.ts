import { eventually, type CapturingServer } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { MaintenanceWorker } from '../maintenance/maintenance.worker.js';
import { enqueueMany, paymentEvent, useDispatcher } from '../testing/webhook-dispatch.fixture.js';

const RECEIVERS = 20;
const EACH = 20;
const SLOTS = 80;
const SLOTS_OF_ONE = 4;

describe('a receiver that hangs', () => {
  // The circuit stays closed: slots alone protect the others.
  const { receiver, register, query } = useDispatcher({
    WEBHOOK_CONCURRENCY: String(SLOTS),
    WEBHOOK_CONCURRENCY_PER_WEBHOOK: String(SLOTS_OF_ONE),
    // The receiver hangs for longer than the test.
    WEBHOOK_ACK_TIMEOUT_MS: '120000',
    WEBHOOK_CIRCUIT_FAILURES: '1000000',
  });

  it('keeps its own slots only, while nineteen others get all their deliveries', async () => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const receivers: CapturingServer[] = [];
    const webhooks: string[] = [];
    for (let n = 0; n < RECEIVERS; n += 1) {
      const created = await receiver(async () => {
        if (n === 0) await gate;
        return { status: 204 };
      });
      receivers.push(created);
      webhooks.push((await register(uuidv7(), created.url)).id);
    }
    const [suspect = '', ...others] = webhooks;
    try {
      await enqueueMany(query, [suspect], 2 * SLOTS);
      await eventually(() => {
        expect(receivers[0]?.requests).toHaveLength(SLOTS_OF_ONE);
      });
      await enqueueMany(query, others, EACH);
      await eventually(
        () => {
          const received = receivers.map(({ requests }) => requests.length);
          expect(received).toEqual([SLOTS_OF_ONE, ...others.map(() => EACH)]);
        },
        { timeoutMs: 120_000 },
      );
    } finally {
      release();
    }
  });
});

describe('an organisation that floods', () => {
  const SLOTS = 8;
  const { receiver, register, query } = useDispatcher({
    WEBHOOK_CONCURRENCY: String(SLOTS),
    WEBHOOK_ACK_TIMEOUT_MS: '120000',
  });
  const FLOOD = 600;
  const OTHERS = 24;

  it('does not delay another, whatever it has enqueued and for how many webhooks', async () => {
    const answered: string[] = [];
    const { promise: bothWait, resolve: begin } = Promise.withResolvers<undefined>();
    const ofOrganisation = async (name: string, count: number): Promise<string[]> => {
      const orgId = uuidv7();
      const webhooks: string[] = [];
      for (let n = 0; n < count; n += 1) {
        const target = await receiver(async () => {
          answered.push(name);
          await bothWait;
          return new Promise((answer) => setTimeout(() => answer({ status: 204 }), 20));
        });
        webhooks.push((await register(orgId, target.url)).id);
      }
      return webhooks;
    };
    const flooding = await ofOrganisation('flooding', 4);
    const other = await ofOrganisation('other', 1);
    await enqueueMany(query, flooding, FLOOD / flooding.length);
    await eventually(() => {
      expect(answered).toHaveLength(SLOTS);
    });
    await enqueueMany(query, other, OTHERS);
    begin(undefined);
    await eventually(() => expect(answered).toHaveLength(FLOOD + OTHERS), { timeoutMs: 120_000 });
    const meanwhile = answered.slice(SLOTS, answered.lastIndexOf('other'));
    // In turns with the flood; without turns it would wait for all of it.
    expect(meanwhile.filter((name) => name === 'flooding').length).toBeLessThanOrEqual(2 * OTHERS);
  }, 180_000);
});

describe('the circuit of a webhook', () => {
  const { running, receiver, register, publish, query, deliveriesOf } = useDispatcher({
    WEBHOOK_CONCURRENCY_PER_WEBHOOK: '1',
    WEBHOOK_CIRCUIT_FAILURES: '3',
    WEBHOOK_CIRCUIT_COOL_DOWN_MS: '60000',
    WEBHOOK_BACKLOG_PER_SECOND: '8',
  });
  const BACKLOG = 80;
  const circuitOf = (webhookId: string) =>
    query<{ state: string; openings: number }>(
      'SELECT state, openings FROM webhook_circuits WHERE webhook_id = $1',
      [webhookId],
    ).then(([circuit]) => circuit);
  /** Seconds for which the circuit stays open. */
  const coolsFor = (webhookId: string): Promise<number> =>
    query<{ seconds: number }>(
      'SELECT extract(epoch FROM not_before - now())::float AS seconds FROM webhook_circuits WHERE webhook_id = $1',
      [webhookId],
    ).then(([circuit]) => Number(circuit?.seconds));
  const hasCooled = (webhookId: string): Promise<unknown> =>
    query('UPDATE webhook_circuits SET not_before = now() WHERE webhook_id = $1', [webhookId]);
  const triedOf = async (webhookId: string): Promise<number[]> =>
    (await deliveriesOf(webhookId)).map(({ attempts }) => attempts).sort();

  it('opens after consecutive failures, and postpones due deliveries without counting attempts', async () => {
    const orgId = uuidv7();
    const target = await receiver(() => ({ status: 503 }));
    const { id } = await register(orgId, target.url);
    await enqueueMany(query, [id], 6);
    await eventually(async () => {
      expect(await circuitOf(id)).toEqual({ state: 'OPEN', openings: 1 });
    });
    expect(await coolsFor(id)).toBeLessThanOrEqual(60);
    expect(await coolsFor(id)).toBeGreaterThan(20);
    // A delivery to another webhook shows that rounds have run.
    const healthy = await receiver();
    await enqueueMany(query, [(await register(orgId, healthy.url)).id], 1);
    await eventually(() => {
      expect(healthy.requests).toHaveLength(1);
    });
    expect(target.requests).toHaveLength(3);
    expect(await triedOf(id)).toEqual([0, 0, 0, 1, 1, 1]);
    // One is tried when it has cooled down; the circuit stays open, for longer.
    await hasCooled(id);
    await eventually(async () => {
      expect(await circuitOf(id)).toEqual({ state: 'OPEN', openings: 2 });
    });
    expect(await coolsFor(id)).toBeGreaterThan(80);
    expect(target.requests).toHaveLength(4);
    expect(await triedOf(id)).toEqual([0, 0, 1, 1, 1, 1]);
  });

  it('closes after one success; the backlog is sent at its rate, and new deliveries at once', async () => {
    const orgId = uuidv7();
    let status = 503;
    const target = await receiver(() => ({ status }));
    const { id } = await register(orgId, target.url);
    await enqueueMany(query, [id], 3);
    await eventually(async () => {
      expect(await circuitOf(id)).toMatchObject({ state: 'OPEN' });
    });
    await enqueueMany(query, [id], BACKLOG);
    status = 200;
    await hasCooled(id);
    await eventually(async () => {
      expect(await circuitOf(id)).toMatchObject({ state: 'RECOVERING' });
    });
    const event = paymentEvent(orgId, { status: 'COMPLETE' });
    await publish(event);
    const fresh = await eventually(() => {
      const found = target.requests.find(({ body }) => body.includes(event.subject));
      if (found === undefined) throw new Error('not yet');
      return found;
    });
    expect(target.requests.indexOf(fresh)).toBeLessThan(BACKLOG);
    // Failed deliveries are repeated too, a minute later.
    const idOf = ({ headers }: { headers: NodeJS.Dict<string | string[]> }) =>
      headers['webhook-id'];
    const failed = new Set(target.requests.slice(0, 3).map(idOf));
    const others = () => target.requests.slice(3).filter((each) => !failed.has(idOf(each)));
    await eventually(() => expect(others()).toHaveLength(BACKLOG + 1), { timeoutMs: 120_000 });
    const times = others()
      .slice(1)
      .filter((each) => each !== fresh)
      .map(({ receivedAt }) => Number(receivedAt));
    // Eighty at eight in a second; without a limit all come within one.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan(3_000);
    await eventually(async () => {
      expect(await circuitOf(id)).toBeUndefined();
    });
  }, 300_000);

  it('fails deliveries that an unavailable receiver has delayed for a day', async () => {
    const target = await receiver(() => ({ status: 503 }));
    const { id } = await register(uuidv7(), target.url);
    await enqueueMany(query, [id], 4);
    await eventually(async () => {
      expect(await circuitOf(id)).toMatchObject({ state: 'OPEN' });
    });
    await query(
      `UPDATE webhook_circuits SET not_before = now() + interval '1 hour' WHERE webhook_id = $1`,
      [id],
    );
    await eventually(async () => {
      const busy = await query(
        'SELECT 1 FROM webhook_deliveries WHERE webhook_id = $1 AND claimed_at IS NOT NULL',
        [id],
      );
      expect(busy).toEqual([]);
    });
    await query(
      `UPDATE webhook_deliveries SET created_at = now() - interval '25 hours' WHERE webhook_id = $1`,
      [id],
    );
    await running().app.get(MaintenanceWorker).cleanUpDeliveries();
    const deliveries = await deliveriesOf(id);
    expect(deliveries.filter(({ attempts }) => attempts === 0)).toMatchObject([
      { status: 'FAILED' },
    ]);
    expect(deliveries.filter(({ status }) => status === 'PENDING')).toHaveLength(3);
  });
});

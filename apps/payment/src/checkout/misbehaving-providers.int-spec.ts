import type { Payment } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import type { CannedResponse } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { anOnrampPlan, anOnrampQuote, aQuoteState } from '../testing/a-quote.fixture.js';
import { SimulatedOnramp } from '../testing/sandbox-onramp.fixture.js';
import { CheckoutScheduleRepository } from './checkout-schedule.repository.js';

const HOUR_MS = 3_600_000;
/** Polls of one provider at once. */
const SHARE = 8;
const nothing = () => new Promise<CannedResponse>(() => undefined);

describe('beside a provider that misbehaves', () => {
  let healthy: SimulatedOnramp;
  let bad: SimulatedOnramp;
  let client: PaymentServiceClient;
  beforeAll(async () => {
    [healthy, bad] = await Promise.all([
      SimulatedOnramp.start('swiftramp'),
      SimulatedOnramp.start('thriftramp'),
    ]);
    client = await PaymentServiceClient.start({
      PROVIDERS: JSON.stringify([healthy.config, { ...bad.config, timeout_ms: 60_000 }]),
      CHECKOUT_POLL_MS: String(HOUR_MS),
    });
  });
  afterEach(() => {
    bad.misbehaves = null;
  });
  afterAll(async () => {
    await client.stop();
    await Promise.all([healthy.server.stop(), bad.server.stop()]);
  });

  const opened = async (provider: 'swiftramp' | 'thriftramp'): Promise<string> => {
    const plan = anOnrampPlan();
    if (plan.funding.kind !== 'onramp') throw new Error('no onramp');
    const { payment_id }: Payment = await client.confirmed(
      {},
      aQuoteState({
        quotes: [
          {
            quote: { ...anOnrampQuote(), onramp: provider },
            plan: { ...plan, funding: { ...plan.funding, provider } },
          },
        ],
      }),
    );
    const caller = { kind: 'funding' as const, paymentId: payment_id, permissions: [] };
    // 503 while the circuit is open or a 429 asks to wait.
    await eventually(async () => {
      expect((await client.request(`/funding/${payment_id}`, { caller })).status).toBe(303);
    });
    return payment_id;
  };
  const makeDue = (...paymentIds: string[]) =>
    client.admin.query('UPDATE checkouts SET due_at = now() WHERE payment_id = ANY ($1)', [
      paymentIds,
    ]);
  const checkout = async (paymentId: string): Promise<Record<string, unknown>> => {
    const rows: Record<string, unknown>[] = await client.admin.query(
      `SELECT *, due_at > now() + interval '30 min' AS later FROM checkouts WHERE payment_id = $1`,
      [paymentId],
    );
    return rows[0] ?? {};
  };
  const callBack = (
    provider: 'swiftramp' | 'thriftramp',
    paymentId: string,
    { id = uuidv7(), headers = {} }: { id?: string; headers?: Record<string, string> } = {},
  ) => {
    const callback = (provider === 'swiftramp' ? healthy : bad).callback(paymentId, id);
    return client.request(`/providers/${provider}/callbacks`, {
      method: 'POST',
      body: callback.body,
      headers: { ...callback.headers, ...headers },
      caller: { kind: 'provider', provider, orgId: '', keyId: '', permissions: [] },
    });
  };
  const callbacksOf = (paymentId: string): Promise<unknown[]> =>
    client.admin.query('SELECT 1 FROM provider_callbacks WHERE payment_id = $1', [paymentId]);
  /** Lets the healthy provider report a paid order, and waits until the service has it. */
  const expectHealthyPayment = async (paymentId: string) => {
    healthy.update(paymentId, { status: 'payment_received' });
    expect((await callBack('swiftramp', paymentId)).status).toBe(200);
    await eventually(async () =>
      expect(await checkout(paymentId)).toMatchObject({ status: 'PROCESSING' }),
    );
  };

  it('polls the others while every poll of that provider waits for an answer', async () => {
    const [paid, ...held] = await Promise.all([
      opened('swiftramp'),
      ...Array.from({ length: SHARE + 2 }, () => opened('thriftramp')),
    ]);
    bad.misbehaves = nothing;
    const before = bad.polls().length;
    await makeDue(...held);
    await eventually(() => expect(bad.polls()).toHaveLength(before + SHARE));
    await expectHealthyPayment(paid);
    expect(bad.polls()).toHaveLength(before + SHARE);
    bad.misbehaves = null;
    await eventually(async () => {
      for (const id of held) expect(await checkout(id)).toMatchObject({ later: true });
    });
  });

  const order = (change: object) => ({ body: JSON.stringify({ order: change }) });
  it.each<[string, () => CannedResponse]>([
    ['100 MB', () => ({ body: `"${'x'.repeat(100 * 1024 * 1024)}"` })],
    ['HTML', () => ({ body: '<html>maintenance</html>' })],
    ['deep JSON', () => ({ body: '['.repeat(100_000) + ']'.repeat(100_000) })],
    ['wrong types', () => order({ id: 7, status: { paid: true }, wallet_address: [] })],
    ['another order', () => order({ id: 'x', partner_order_id: 'x', wallet_address: 'x' })],
    ['a 500', () => ({ status: 500, body: '{}' })],
    ['a 429', () => ({ status: 429, headers: { 'retry-after': '1' }, body: '{}' })],
    ['a redirect', () => ({ status: 302, headers: { location: healthy.server.url }, body: '{}' })],
  ])('takes %s for no answer, and polls that order later', async (_, misbehaves) => {
    const [paid, unclear] = await Promise.all([opened('swiftramp'), opened('thriftramp')]);
    await eventually(async () => {
      await makeDue(unclear);
      await eventually(async () => expect((await checkout(unclear))['later']).toBe(true));
      expect((await checkout(unclear))['polled_at']).toBeInstanceOf(Date);
    });
    const { polled_at } = await checkout(unclear);
    bad.misbehaves = misbehaves;
    const before = bad.polls().length;
    await makeDue(unclear);
    await eventually(() => expect(bad.polls()).toHaveLength(before + 1));
    await expectHealthyPayment(paid);
    await eventually(async () => expect((await checkout(unclear))['later']).toBe(true));
    expect(await checkout(unclear)).toMatchObject({ status: 'CREATED', polled_at });
    expect(await client.status(unclear)).toMatchObject({ status: 'PENDING' });
    expect(bad.polls()).toHaveLength(before + 1);
  });

  it('keeps a payment pending while its status has an unknown name', async () => {
    const unclear = await opened('thriftramp');
    bad.update(unclear, { status: 'exploded' });
    await callBack('thriftramp', unclear);
    await eventually(async () =>
      expect(await checkout(unclear)).toMatchObject({ status: 'UNKNOWN' }),
    );
    expect(await client.status(unclear)).toMatchObject({ status: 'PENDING' });
  });

  it('records the beginning of an endless reason of a failure', async () => {
    const failed = await opened('thriftramp');
    bad.update(failed, { status: 'declined', failure_reason: '\0"'.repeat(30_000) });
    await callBack('thriftramp', failed);
    await eventually(async () =>
      expect(await checkout(failed)).toMatchObject({ status: 'FAILED', due_at: null }),
    );
    expect((await checkout(failed))['failure']).toHaveLength(200);
  });

  it('takes callbacks of the others while it floods the service with its own', async () => {
    const [paid, called] = await Promise.all([opened('swiftramp'), opened('thriftramp')]);
    const lock = client.admin.createQueryRunner();
    await lock.startTransaction();
    await lock.query('SELECT 1 FROM checkouts WHERE payment_id = $1 FOR UPDATE', [called]);
    const flood = Array.from({ length: 200 }, () => callBack('thriftramp', called));
    await Promise.any(
      flood.map(async (answer) => {
        if ((await answer).status !== 503) throw new Error('taken');
      }),
    );
    await expectHealthyPayment(paid);
    await lock.commitTransaction();
    await lock.release();
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    // Those that a busy machine sends after the lock find room again.
    expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(98);
    expect(statuses).toContain(200);
    expect((await callbacksOf(called)).length).toBeLessThanOrEqual(100);
  });

  it('makes an order due by a hundred callbacks at most', async () => {
    const called = await opened('thriftramp');
    const schedule = new CheckoutScheduleRepository(client.admin);
    bad.misbehaves = nothing;
    for (let call = 0; call < 100; call += 1) {
      expect(await schedule.callBack('thriftramp', uuidv7(), called)).toBe(true);
    }
    expect(await schedule.callBack('thriftramp', uuidv7(), called)).toBe(false);
    expect(await callbacksOf(called)).toHaveLength(100);
  });

  it('stores nothing of callbacks that are forged, malformed or about no open order of it', async () => {
    const paid = await opened('swiftramp');
    const others = uuidv7();
    const before = healthy.polls().length;
    const forged = { headers: { 'sandbox-signature': `t=${Date.now()},v1=${'0'.repeat(64)}` } };
    const answers = await Promise.all([
      ...Array.from({ length: 50 }, () => callBack('swiftramp', paid, forged)),
      callBack('thriftramp', paid),
      callBack('thriftramp', others),
      callBack('thriftramp', 'x'.repeat(9_000)),
      callBack('thriftramp', others, { id: 'x'.repeat(9_000) }),
    ]);
    const counts = Map.groupBy(answers, ({ status }) => status);
    expect([401, 200, 400].map((status) => counts.get(status)?.length)).toEqual([50, 2, 2]);
    for (const id of [paid, others]) expect(await callbacksOf(id)).toEqual([]);
    expect(healthy.polls()).toHaveLength(before);
  });
});

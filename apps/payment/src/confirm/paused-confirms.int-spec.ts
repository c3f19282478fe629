import type { ErrorBody, Payment, Pause, PaymentPlan } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { anOnrampPlan, aPlan, aQuote, aQuoteState, ORG_ID } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { SwitchesFeed } from '../testing/switches-feed.fixture.js';

const [leg] = aPlan().legs;
if (leg === undefined) throw new Error('the plan has no leg');
const ADAPTER = `0x${'1'.repeat(40)}`;
const bridge = { name: 'intent_escrow', adapter: ADAPTER, delivered_amount: '1', min_bridged: '1' };
const bridged: PaymentPlan = { ...aPlan(), legs: [{ ...leg, bridge }, leg] };
const { funding } = anOnrampPlan();
const provider = funding.kind === 'onramp' ? funding.provider : '';

describe('POST /payments/confirm while an operator has paused something', () => {
  let client: PaymentServiceClient;
  const feed = new SwitchesFeed('development');
  beforeAll(async () => {
    client = await PaymentServiceClient.start();
  });
  afterEach(() => feed.set([client.service]));
  afterAll(() => client.stop());

  const pause = (kind: Pause['kind'], subject: string | null = null) =>
    feed.set([client.service], { kind, subject });
  async function confirm(plan = aPlan(), headers: Record<string, string> = {}) {
    const body = await client.aConfirmation(
      {},
      aQuoteState({ quotes: [{ quote: aQuote(uuidv7()), plan }] }),
    );
    const send = () =>
      client.request<ErrorBody & Payment>('/payments/confirm', { method: 'POST', body, headers });
    return { ...(await send()), again: send };
  }
  const count = async (): Promise<string | undefined> => {
    const [row]: { count: string }[] = await client.admin.query('SELECT count(*) FROM payments');
    return row?.count;
  };

  it('answers 503 with the reason and Retry-After while confirms are paused, and accepts the same request afterwards', async () => {
    await pause('confirms');
    const before = await count();
    const refused = await confirm();
    expect(refused).toMatchObject({
      status: 503,
      body: { errors: [{ kind: 'unknown', message: 'New payments are paused: under attack' }] },
    });
    expect(refused.headers.get('retry-after')).toBe('60');
    expect(await count()).toBe(before);
    await feed.set([client.service]);
    expect((await refused.again()).status).toBe(200);
  });

  it('answers 409 for a payment that was confirmed before the pause, and replays its idempotent answer', async () => {
    const plain = await confirm();
    const repeated = await confirm(aPlan(), { 'idempotency-key': uuidv7() });
    expect([plain.status, repeated.status]).toEqual([200, 200]);
    await pause('confirms');
    expect((await plain.again()).status).toBe(409);
    expect(await repeated.again()).toMatchObject({
      status: 200,
      body: { payment_id: repeated.body.payment_id },
    });
  });

  it('answers 403 to the keys of a paused organisation, which can still read', async () => {
    const open = await confirm();
    await pause('organisation', ORG_ID);
    expect(await confirm()).toMatchObject({
      status: 403,
      body: {
        errors: [
          {
            kind: 'other',
            message: 'New quotes and payments of the organisation are paused: under attack',
          },
        ],
      },
    });
    const shown = await client.request<Payment>(`/payments?payment_id=${open.body.payment_id}`);
    expect(shown).toMatchObject({ status: 200, body: { status: 'PENDING' } });
    await pause('organisation', uuidv7());
    expect((await confirm()).status).toBe(200);
  });

  it.each([
    ['chain', 'alphanet', 'other', aPlan()],
    ['bridge', 'intent_escrow', 'provider', bridged],
    ['provider', provider, 'provider', anOnrampPlan()],
  ] as const)(
    'answers 400 for a plan that needs a paused %s',
    async (kind, subject, issue, plan) => {
      await pause(kind, subject);
      expect(await confirm(plan)).toMatchObject({
        status: 400,
        body: { errors: [{ kind: issue, message: `${subject} is paused: under attack` }] },
      });
      await pause(kind, 'another');
      expect((await confirm(aPlan())).status).toBe(200);
    },
  );

  it('accepts payments while execution or a venue is paused, since these wait', async () => {
    await pause('execution');
    expect((await confirm()).status).toBe(200);
    await pause('venue', 'uniswap_v3');
    expect((await confirm()).status).toBe(200);
  });

  it('stops both of two processes, and a process that starts during the pause from its first request', async () => {
    const other = await client.startAnother();
    try {
      const services = [client.service, other];
      await feed.set(services, { kind: 'confirms', subject: null });
      const before = await count();
      const refused = await confirm();
      const request = (at: string) =>
        client.request('/payments/confirm', { method: 'POST', body: {}, at });
      expect(refused.status).toBe(503);
      // An invalid body is refused first; a valid one meets the switch.
      expect((await request(other.url)).status).toBe(400);
      const body = await client.aConfirmation({}, aQuoteState());
      const atOther = await client.request('/payments/confirm', {
        ...{ method: 'POST', body },
        at: other.url,
      });
      expect(atOther.status).toBe(503);
      const third = await client.startAnother();
      try {
        const atThird = await client.request('/payments/confirm', {
          ...{ method: 'POST', body },
          at: third.url,
        });
        expect(atThird.status).toBe(503);
      } finally {
        await third.shutdown({ graceMs: 0 });
      }
      expect(await count()).toBe(before);
    } finally {
      await other.shutdown({ graceMs: 0 });
    }
  });

  it('refuses no confirmation by a switch that is off again, under a stream of requests', async () => {
    let isOver = false;
    const statuses: number[] = [];
    const stream = Promise.all(
      [1, 2, 3].map(async () => {
        while (!isOver) statuses.push((await confirm()).status);
      }),
    );
    await eventually(() => expect(statuses).toContain(200));
    await pause('confirms');
    await eventually(() => expect(statuses).toContain(503));
    const before = await count();
    const seen = statuses.length;
    await eventually(() => expect(statuses.length).toBeGreaterThan(seen + 5), {
      timeoutMs: 30_000,
    });
    expect(await count()).toBe(before);
    await feed.set([client.service]);
    await eventually(() => expect(statuses.at(-1)).toBe(200));
    isOver = true;
    await stream;
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});

import type { Pause, Payment } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { anOnrampPlan, anOnrampQuote, aQuoteState } from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { SimulatedOnramp } from '../testing/sandbox-onramp.fixture.js';
import { SwitchesFeed } from '../testing/switches-feed.fixture.js';

type Switch = Pick<Pause, 'kind' | 'subject'>;

const PROVIDER: Switch = { kind: 'provider', subject: 'swiftramp' };
const CHAIN: Switch = { kind: 'chain', subject: 'alphanet' };
const OTHERS: Switch[] = [
  { kind: 'provider', subject: 'another' },
  { kind: 'chain', subject: 'betanet' },
  { kind: 'execution', subject: null },
];

describe('the checkout of a payment while an operator has paused something', () => {
  let onramp: SimulatedOnramp;
  let client: PaymentServiceClient;
  const feed = new SwitchesFeed('development');
  beforeAll(async () => {
    onramp = await SimulatedOnramp.start();
    client = await PaymentServiceClient.start({ PROVIDERS: onramp.env });
  });
  afterEach(() => feed.set([client.service]));
  afterAll(async () => {
    await client.stop();
    await onramp.server.stop();
  });

  const pauseOnly = (...thrown: readonly Switch[]) => feed.set([client.service], ...thrown);
  const confirmed = (): Promise<Payment> =>
    client.confirmed(
      {},
      aQuoteState({ quotes: [{ quote: anOnrampQuote(uuidv7()), plan: anOnrampPlan() }] }),
    );
  const visit = (paymentId: string) =>
    client.request(`/funding/${paymentId}`, {
      caller: { kind: 'funding', paymentId, permissions: [] },
    });
  const rows = ({ payment_id }: Payment): Promise<Record<string, unknown>[]> =>
    client.admin.query('SELECT * FROM checkouts WHERE payment_id = $1', [payment_id]);

  it.each([PROVIDER, CHAIN])(
    'is not created while $kind $subject is paused: 503 with the reason, and a redirect after the resume',
    async (thrown) => {
      const payment = await confirmed();
      await pauseOnly(thrown);
      const refused = await visit(payment.payment_id);
      expect(refused).toMatchObject({
        status: 503,
        body: {
          errors: [{ kind: 'unknown', message: `${thrown.subject} is paused: under attack` }],
        },
      });
      expect(refused.headers.get('retry-after')).toBe('60');
      expect(onramp.checkoutsOf(payment.payment_id)).toEqual([]);
      expect(await rows(payment)).toEqual([]);
      await pauseOnly();
      expect((await visit(payment.payment_id)).status).toBe(303);
    },
  );

  it('is created while another provider, another chain or execution is paused', async () => {
    const { payment_id } = await confirmed();
    await pauseOnly(...OTHERS);
    expect((await visit(payment_id)).status).toBe(303);
  });

  it('is opened again and followed once it was begun, also after its link expired, whatever is paused', async () => {
    const payment = await confirmed();
    const { payment_id } = payment;
    const begun = await visit(payment_id);
    await pauseOnly(PROVIDER, CHAIN, ...OTHERS);
    const opened = await visit(payment_id);
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toBe(begun.headers.get('location'));

    await client.admin.query(
      `UPDATE checkouts SET url_expires_at = now() - interval '1 s' WHERE payment_id = $1`,
      [payment_id],
    );
    expect((await visit(payment_id)).status).toBe(303);
    expect(onramp.checkoutsOf(payment_id)).toHaveLength(2);

    onramp.update(payment_id, { status: 'payment_received', paid_at: new Date().toISOString() });
    await client.admin.query('UPDATE checkouts SET due_at = now() WHERE payment_id = $1', [
      payment_id,
    ]);
    await eventually(async () =>
      expect(await rows(payment)).toMatchObject([{ status: 'PROCESSING' }]),
    );
  });
});

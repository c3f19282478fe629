import type { Payment } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jwtVerify } from 'jose';
import { v7 as uuidv7 } from 'uuid';
import { recordDeposit } from '../life-cycle/funding.js';
import type { Deposit } from '../life-cycle/payment-record.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { aDeposit } from '../testing/a-payment.fixture.js';
import {
  anOnrampPlan,
  anOnrampQuote,
  aQuoteRequest,
  aQuoteState,
  ORG_ID,
  USDC,
} from '../testing/a-quote.fixture.js';
import { PaymentServiceClient } from '../testing/payment-service.fixture.js';
import { CheckoutScheduleRepository } from './checkout-schedule.repository.js';
import { SimulatedOnramp } from '../testing/sandbox-onramp.fixture.js';

const HOUR_MS = 3_600_000;

describe('funding by an onramp', () => {
  let onramp: SimulatedOnramp;
  let client: PaymentServiceClient;
  beforeAll(async () => {
    onramp = await SimulatedOnramp.start();
    client = await PaymentServiceClient.start({
      PROVIDERS: onramp.env,
      // Longer than a test, so that only callbacks change an order.
      CHECKOUT_POLL_MS: String(HOUR_MS),
    });
  });
  afterEach(() => {
    onramp.outage = null;
  });
  afterAll(async () => {
    await client.stop();
    await onramp.server.stop();
  });

  const onrampPayment = (): Promise<Payment> =>
    client.confirmed(
      { client_redirect_url: 'https://shop.example/done' },
      aQuoteState({ quotes: [{ quote: anOnrampQuote(), plan: anOnrampPlan() }] }),
    );
  const visit = (paymentId: string, linkFor = paymentId) =>
    client.request(`/funding/${paymentId}`, {
      caller: { kind: 'funding', paymentId: linkFor, permissions: [] },
    });
  const callBack = (paymentId: string, id = uuidv7(), headers: Record<string, string> = {}) => {
    const callback = onramp.callback(paymentId, id);
    return client.request('/providers/swiftramp/callbacks', {
      method: 'POST',
      body: callback.body,
      headers: { ...callback.headers, ...headers },
      caller: { kind: 'provider', provider: 'swiftramp', orgId: '', keyId: '', permissions: [] },
    });
  };
  const checkout = async (paymentId: string): Promise<Record<string, unknown>> => {
    const rows: Record<string, unknown>[] = await client.admin.query(
      'SELECT * FROM checkouts WHERE payment_id = $1',
      [paymentId],
    );
    return rows[0] ?? {};
  };

  describe('GET /funding/:payment_id', () => {
    it('creates one checkout at the provider and redirects to it', async () => {
      const { payment_id, processing_addresses } = await onrampPayment();
      const first = await visit(payment_id);
      expect(first.status).toBe(303);
      expect(first.headers.get('location')).toBe(`${onramp.server.url}/pay/${payment_id}`);
      const second = await visit(payment_id);
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      const requests = onramp.checkoutsOf(payment_id);
      expect(requests).toHaveLength(1);
      expect(JSON.parse(requests[0]?.body.toString() ?? '')).toMatchObject({
        partner_order_id: payment_id,
        quote_id: 'quote-1',
        fiat: 'USD',
        fiat_amount: '103',
        wallet_address: processing_addresses[0]?.address,
        redirect_url: expect.stringMatching(/^https:\/\/pay\.example\/funding\/.+\/return\?token=/),
      });
    });

    it('names the late customer of sandbox providers where the quote asks for that outcome', async () => {
      const quote_request = { ...aQuoteRequest(), test_outcome: 'PAYS_LATE' as const };
      const quotes = [{ quote: anOnrampQuote(), plan: anOnrampPlan() }];
      const mode = 'test';
      const state = aQuoteState({ mode, quote_request, quotes });
      const confirmed = await client.confirm(await client.aConfirmation({}, state), { mode });
      const { payment_id } = confirmed.body;
      await visit(payment_id);
      expect(onramp.checkoutsOf(payment_id)[0]?.body.toString()).toContain('"id":"sandbox-late"');
      const usual = await onrampPayment();
      await visit(usual.payment_id);
      expect(onramp.checkoutsOf(usual.payment_id)[0]?.body.toString()).toContain(
        '"id":"customer-1"',
      );
    });

    it('redirects concurrent requests to the same checkout', async () => {
      const { payment_id } = await onrampPayment();
      const answers = await Promise.all([1, 2, 3, 4].map(() => visit(payment_id)));
      const places = new Set(answers.map(({ headers }) => headers.get('location')));
      expect(places.size).toBe(1);
      expect(await checkout(payment_id)).toMatchObject({ checkout_id: `order-${payment_id}` });
    });

    it('resumes a recorded checkout after the provider timed out', async () => {
      const { payment_id } = await onrampPayment();
      onramp.outage = 500;
      const answer = await visit(payment_id);
      expect(answer.status).toBe(503);
      expect(await checkout(payment_id)).toMatchObject({ status: 'CREATED', checkout_id: null });
      onramp.outage = null;
      expect((await visit(payment_id)).status).toBe(303);
    });

    it('creates a new checkout when the previous one has expired', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      await client.admin.query(
        `UPDATE checkouts SET url_expires_at = now() - interval '1 s' WHERE payment_id = $1`,
        [payment_id],
      );
      expect((await visit(payment_id)).status).toBe(303);
      expect(onramp.checkoutsOf(payment_id)).toHaveLength(2);
    });

    it('shows the deposit instruction of a payment that tokens fund', async () => {
      const payment = await client.confirmed();
      const { status, body } = await visit(payment.payment_id);
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          payment_id: payment.payment_id,
          initiate_fund_by: payment.initiate_fund_by,
          deposit_info: [expect.objectContaining({ deposit_token: USDC, deposit_amount: '100' })],
        },
      });
    });

    it('requires the token from the payment’s own link', async () => {
      const { payment_id } = await onrampPayment();
      expect((await visit(payment_id, uuidv7())).status).toBe(403);
      expect((await client.request(`/funding/${payment_id}`)).status).toBe(403);
      expect((await visit('seven', 'seven')).status).toBe(400);
      const unknown = uuidv7();
      expect((await visit(unknown)).status).toBe(404);
      const asKey = await client.request(`/payments?payment_id=${payment_id}`, {
        caller: { kind: 'funding', paymentId: payment_id, permissions: ['payments:read'] },
      });
      expect(asKey.status).toBe(403);
    });

    it.each(['EXPIRED', 'COMPLETE', 'FAILED', 'TAINTED'])(
      'returns not found for a %s payment',
      async (status) => {
        const { payment_id } = await onrampPayment();
        await client.admin.query('UPDATE payments SET status = $2, due_at = NULL WHERE id = $1', [
          payment_id,
          status,
        ]);
        const answer = await visit(payment_id);
        expect(answer.status).toBe(404);
        expect(answer.body).toEqual({ errors: [{ kind: 'other', message: expect.any(String) }] });
      },
    );
  });

  describe('GET /funding/:payment_id/return', () => {
    const comeBack = (paymentId: string, linkFor = paymentId) =>
      client.fetchPage(`/funding/${paymentId}/return`, {
        kind: 'return',
        paymentId: linkFor,
        permissions: [],
      });
    const paidBy = (overrides: Record<string, unknown>): Promise<Payment> =>
      client.confirmed(
        { client_redirect_url: 'https://shop.example/done?order=7', ...overrides },
        aQuoteState({ quotes: [{ quote: anOnrampQuote(), plan: anOnrampPlan() }] }),
      );

    beforeAll(async () => {
      await client.registerRedirectOrigins(['https://shop.example']);
    });

    it('is where the provider sends the customer, with a token of its own', async () => {
      const { payment_id } = await paidBy({});
      await visit(payment_id);
      const [request] = onramp.checkoutsOf(payment_id);
      const { redirect_url: link } = JSON.parse(request?.body.toString() ?? '') as {
        redirect_url: string;
      };
      const url = new URL(link);
      expect(url.origin + url.pathname).toBe(`https://pay.example/funding/${payment_id}/return`);
      const { payload } = await jwtVerify(
        url.searchParams.get('token') ?? '',
        client.fundingPublicKey,
        { issuer: 'payment', audience: 'return' },
      );
      expect(payload).toMatchObject({ payment_id, org_id: ORG_ID });
    });

    it('redirects at once without a condition', async () => {
      const { payment_id } = await paidBy({});
      const answer = await comeBack(payment_id);
      expect(answer.status).toBe(303);
      expect(answer.headers.get('location')).toBe('https://shop.example/done?order=7');
    });

    it.each([
      ['/✓ü', 'https://shop.example/✓ü', 'https://shop.example/%E2%9C%93%C3%BC'],
      ['no slashes', 'https:shop.example/a', 'https://shop.example/a'],
    ])(
      'redirects to a URL with %s, which the payment shows as given',
      async (_, given, location) => {
        const payment = await paidBy({ client_redirect_url: given });
        expect(payment.client_redirect_url).toBe(given);
        const answer = await comeBack(payment.payment_id);
        expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
      },
    );

    it.each([
      ['FUNDED', 'funded_in_full_at = now()'],
      ['COMPLETED', `status = 'COMPLETE', due_at = NULL`],
    ])('shows the status until the payment is %s, then redirects', async (after, change) => {
      const { payment_id } = await paidBy({ client_redirect_after: after });
      const waiting = await comeBack(payment_id);
      expect(waiting.status).toBe(200);
      expect(waiting.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(waiting.text).toContain('The payment has not arrived yet.');
      expect(waiting.text).toContain('http-equiv="refresh"');
      expect(waiting.text).not.toContain('shop.example');
      await client.admin.query(`UPDATE payments SET ${change} WHERE id = $1`, [payment_id]);
      expect((await comeBack(payment_id)).status).toBe(303);
    });

    it('names the host and asks for a click when its origin is not registered', async () => {
      const { payment_id } = await paidBy({
        client_redirect_url: 'https://evil.example/?a="><script>alert(1)</script>'.replace(
          / /g,
          '',
        ),
      });
      const { status, text } = await comeBack(payment_id);
      expect(status).toBe(200);
      expect(text).toContain('Continue to evil.example');
      expect(text).not.toContain('<script');
      expect(text).not.toContain('http-equiv="refresh"');
    });

    it('refuses the link of another payment and other credentials, and opens no funding page', async () => {
      const { payment_id } = await paidBy({});
      expect((await comeBack(payment_id, uuidv7())).status).toBe(403);
      const withFundingLink = await client.fetchPage(`/funding/${payment_id}/return`, {
        kind: 'funding',
        paymentId: payment_id,
        permissions: [],
      });
      expect(withFundingLink.status).toBe(403);
      const withReturnLink = await client.fetchPage(`/funding/${payment_id}`, {
        kind: 'return',
        paymentId: payment_id,
        permissions: [],
      });
      expect(withReturnLink.status).toBe(403);
      const unknown = uuidv7();
      expect((await comeBack(unknown)).status).toBe(404);
    });

    it('is not found for a payment without a redirect URL', async () => {
      const { payment_id } = await client.confirmed();
      expect((await comeBack(payment_id)).status).toBe(404);
    });
  });

  describe('POST /providers/:name/callbacks', () => {
    it('polls the provider after a callback and keeps waiting for the deposit', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      onramp.update(payment_id, { status: 'payment_received', paid_at: new Date().toISOString() });
      expect((await callBack(payment_id)).status).toBe(200);
      await eventually(async () => {
        expect(await checkout(payment_id)).toMatchObject({
          status: 'PROCESSING',
          paid_at: expect.any(Date),
        });
      });
      const payment = await client.status(payment_id);
      expect(payment).toMatchObject({ status: 'PENDING', funded: false });
      expect(payment).not.toHaveProperty('next_instruction');
    });

    it('ignores a repeated callback', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      const id = uuidv7();
      await callBack(payment_id, id);
      const polled = () => onramp.server.requests.filter(({ path }) => path.endsWith(payment_id));
      await eventually(() => expect(polled()).toHaveLength(1));
      await eventually(async () =>
        expect((await checkout(payment_id))['polled_at']).toBeInstanceOf(Date),
      );
      const { due_at } = await checkout(payment_id);
      expect((await callBack(payment_id, id)).status).toBe(200);
      expect(await checkout(payment_id)).toMatchObject({ due_at });
    });

    it('refuses callbacks without the provider’s signature', async () => {
      const { payment_id } = await onrampPayment();
      const forged = {
        'sandbox-signature': `t=${Math.floor(Date.now() / 1_000)},v1=${'0'.repeat(64)}`,
      };
      expect((await callBack(payment_id, uuidv7(), forged)).status).toBe(401);
      const rows: unknown[] = await client.admin.query(
        'SELECT 1 FROM provider_callbacks WHERE payment_id = $1',
        [payment_id],
      );
      expect(rows).toEqual([]);
    });

    it('refuses unconfigured providers and other callers', async () => {
      const path = '/providers/thriftramp/callbacks';
      const caller = { kind: 'provider' as const, provider: 'thriftramp', permissions: [] };
      expect((await client.request(path, { method: 'POST', body: {}, caller })).status).toBe(404);
      expect((await client.request(path, { method: 'POST', body: {} })).status).toBe(403);
      const swift = '/providers/swiftramp/callbacks';
      expect((await client.request(swift, { method: 'POST', body: {}, caller })).status).toBe(403);
    });

    it('accepts a callback for an unknown payment', async () => {
      expect((await callBack(uuidv7())).status).toBe(200);
    });
  });

  describe('tokens sent by hand', () => {
    const deposit = (paymentId: string, overrides: Partial<Deposit> = {}) =>
      client.service.app
        .get(PaymentStoreRepository)
        .changeNow(paymentId, (payment) =>
          recordDeposit(payment, aDeposit({ blockTimestamp: new Date(), ...overrides })),
        );
    const fundingSteps = async (paymentId: string) => {
      const { fulfilled } = await client.status(paymentId);
      const steps = fulfilled.route.filter(({ type }) => type !== 'ONCHAIN_STEP');
      return { steps: steps.map(({ type }) => type), onramp: fulfilled.onramp };
    };
    const versionOf = async (paymentId: string) => {
      const rows: { version: number }[] = await client.admin.query(
        'SELECT version FROM payments WHERE id = $1',
        [paymentId],
      );
      return rows[0]?.version;
    };
    const bought = { steps: ['ONRAMP'], onramp: 'swiftramp' };
    const byHand = { steps: ['USER_FUND'], onramp: undefined };
    const pay = async (paymentId: string, paidAt = new Date()) => {
      onramp.update(paymentId, { status: 'payment_received', paid_at: paidAt.toISOString() });
      await callBack(paymentId);
      await eventually(async () =>
        expect(await checkout(paymentId)).toMatchObject({ paid_at: expect.any(Date) }),
      );
    };
    /** Deposit of the provider, in the block after that of the tokens by hand. */
    const aDelivery = () => ({ ...aDeposit(), blockNumber: 12n });
    const complete = async (paymentId: string, { transactionHash } = aDelivery()) => {
      onramp.update(paymentId, { status: 'completed', transaction_hash: transactionHash });
      await callBack(paymentId);
      await eventually(async () =>
        expect(await checkout(paymentId)).toMatchObject({ status: 'DELIVERED', due_at: null }),
      );
    };

    it('are shown at once when the checkout was never opened, which then stays closed', async () => {
      const { payment_id } = await onrampPayment();
      await deposit(payment_id);
      expect(await fundingSteps(payment_id)).toEqual(byHand);
      expect((await visit(payment_id)).status).toBe(404);
      expect(onramp.checkoutsOf(payment_id)).toEqual([]);
      expect(await checkout(payment_id)).toEqual({});
    });

    it('are shown at once when the checkout is open, which is asked about once more', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      await deposit(payment_id);
      expect(await fundingSteps(payment_id)).toEqual(byHand);
      const version = await versionOf(payment_id);
      await callBack(payment_id);
      await eventually(async () =>
        expect(await checkout(payment_id)).toMatchObject({ due_at: null }),
      );
      expect(await versionOf(payment_id)).toBe(version);
      expect(await fundingSteps(payment_id)).toEqual(byHand);
      expect((await visit(payment_id)).status).toBe(404);
    });

    it('remain so when the checkout is paid before it is asked about again', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      await deposit(payment_id);
      await pay(payment_id, new Date(Date.now() + 1_000));
      expect(await fundingSteps(payment_id)).toEqual(byHand);
      const delivery = aDelivery();
      await deposit(payment_id, delivery);
      await complete(payment_id, delivery);
      expect(await fundingSteps(payment_id)).toEqual(byHand);
    });

    it('are a step beside the delivery of a paid checkout', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      await deposit(payment_id, { amount: 50_000_000n });
      const beside = { ...bought, steps: ['USER_FUND', 'ONRAMP'] };
      expect(await fundingSteps(payment_id)).toEqual(beside);
      await pay(payment_id);
      expect(await fundingSteps(payment_id)).toEqual(beside);
      const delivery = aDelivery();
      await deposit(payment_id, delivery);
      await complete(payment_id, delivery);
      const { fulfilled } = await client.status(payment_id);
      expect(fulfilled.route).toMatchObject([
        { net_effect: { produce: [{ account: 'SPW', amount: '50' }] }, step_index: 0 },
        { net_effect: { produce: [{ amount: '100', tx_id: delivery.transactionHash }] } },
        { type: 'ONCHAIN_STEP', step_index: 2 },
      ]);
    });

    it('are no delivery, though they arrived after the checkout was paid', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      await pay(payment_id);
      await deposit(payment_id);
      expect(await fundingSteps(payment_id)).toEqual(bought);
      await complete(payment_id);
      expect(await fundingSteps(payment_id)).toEqual(byHand);
    });

    it('are the provider’s when it was paid before, though that is known later', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      const paidAt = new Date();
      await deposit(payment_id);
      expect(await fundingSteps(payment_id)).toEqual(byHand);
      await pay(payment_id, paidAt);
      expect(await fundingSteps(payment_id)).toEqual(bought);
    });

    it('are asked about again while the provider is unavailable', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      await deposit(payment_id);
      onramp.outage = 500;
      const asked = onramp.server.requests.length;
      await callBack(payment_id);
      await eventually(() => expect(onramp.server.requests.length).toBeGreaterThan(asked));
      await eventually(async () => {
        const { due_at } = await checkout(payment_id);
        expect((due_at as Date).getTime()).toBeGreaterThan(Date.now() + HOUR_MS / 2);
      });
      expect(await fundingSteps(payment_id)).toEqual(byHand);
    });
  });

  describe('the schedule of an order', () => {
    const opened = async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      return { paymentId: payment_id, schedule: new CheckoutScheduleRepository(client.admin) };
    };
    /** As long as the worker's claim: it does not take the row meanwhile. */
    const leased = async (paymentId: string): Promise<string> => {
      const [rows]: [{ lease: string }[], number] = await client.admin.query(
        `UPDATE checkouts SET due_at = now() + interval '30 s' WHERE payment_id = $1
         RETURNING due_at::text AS lease`,
        [paymentId],
      );
      return rows[0]?.lease ?? '';
    };

    it('makes an order due once per callback', async () => {
      const { paymentId, schedule } = await opened();
      const id = uuidv7();
      expect(await schedule.callBack('swiftramp', id, paymentId)).toBe(true);
      expect(await schedule.callBack('swiftramp', id, paymentId)).toBe(false);
      expect(await schedule.callBack('swiftramp', uuidv7(), uuidv7())).toBe(false);
    });

    it('schedules the next poll unless a callback arrived in the meantime', async () => {
      const { paymentId, schedule } = await opened();
      const next = new Date(Date.now() + HOUR_MS);
      const lease = await leased(paymentId);
      await schedule.asked({ paymentId, lease, next, answeredAt: null });
      expect((await checkout(paymentId))['due_at']).toEqual(next);

      const lost = await leased(paymentId);
      const due = await leased(paymentId);
      await schedule.asked({ paymentId, lease: lost, next, answeredAt: new Date() });
      const row = await checkout(paymentId);
      expect((row['due_at'] as Date).getTime()).toBe(Math.floor(Date.parse(due)));
      expect(row['polled_at']).toBeInstanceOf(Date);
    });
  });

  describe('an order', () => {
    const makeDue = (paymentId: string) =>
      client.admin.query('UPDATE checkouts SET due_at = now() WHERE payment_id = $1', [paymentId]);

    it('is polled when its callback is lost', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      onramp.update(payment_id, { status: 'declined', failure_reason: 'card declined' });
      await makeDue(payment_id);
      await eventually(async () => {
        expect(await client.status(payment_id)).toMatchObject({
          issues: [{ kind: 'provider', message: 'swiftramp: card declined' }],
        });
        expect(await checkout(payment_id)).toMatchObject({ due_at: null });
      });
    });

    it('is rejected when it names another address', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      const address = `0x${'9'.repeat(40)}`;
      onramp.update(payment_id, { status: 'completed', wallet_address: address });
      await makeDue(payment_id);
      await eventually(async () => {
        const rows: { later: boolean }[] = await client.admin.query(
          `SELECT due_at > now() + interval '30 min' AS later FROM checkouts WHERE payment_id = $1`,
          [payment_id],
        );
        expect(rows[0]?.later).toBe(true);
      });
      expect(await checkout(payment_id)).toMatchObject({ status: 'CREATED', polled_at: null });
    });

    it('is polled again later while the provider is unavailable', async () => {
      const { payment_id } = await onrampPayment();
      await visit(payment_id);
      onramp.outage = 500;
      const asked = onramp.server.requests.length;
      await makeDue(payment_id);
      await eventually(() => expect(onramp.server.requests.length).toBeGreaterThan(asked));
      await eventually(async () => {
        const { due_at } = await checkout(payment_id);
        expect((due_at as Date).getTime()).toBeGreaterThan(Date.now() + HOUR_MS / 2);
      });
      expect(await checkout(payment_id)).toMatchObject({ polled_at: null });
    });
  });
});

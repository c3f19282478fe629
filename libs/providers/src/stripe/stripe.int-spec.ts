import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startStripe, type StripeLab } from '@bascule/providers-lab';
import { eventually, startCapturingServer, type CapturingServer } from '@bascule/testing';
import { createHmac, randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { OnrampCheckoutRequest, OnrampProvider } from '../port/onramp-provider.js';
import { parseProviders } from '../providers-config.js';
import {
  adapterOf,
  callbackIds,
  callbacksAbout,
  lastCallback,
  placeOrder,
  press,
} from '../testing/customer.fixture.js';
import { onrampProviderContract, type PlacedOrder } from '../testing/index.js';

const USDC = '0x00000000000000000000000000000000000000c1';
const WALLET = '0x00000000000000000000000000000000000000d1';
const SECRET_KEY = 'sk_test_lab';
const WEBHOOK_SECRET = 'whsec_lab';

const QUOTE_PATHS = ['/v1/crypto/onramp/quotes', '/v1/crypto/onramp_quotes'] as const;

let partner: CapturingServer;
let lab: StripeLab;

const aToken = { contract: USDC, decimals: 6, usdPrice: 1, network: 'base' };

const startLab = (variant: Partial<Parameters<typeof startStripe>[0]> = {}) =>
  startStripe({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    callbackUrl: `${partner.url}/providers/stripe/callbacks`,
    tokens: [
      { ...aToken, currency: 'usdc' },
      { ...aToken, currency: 'eth', contract: null, decimals: 18, usdPrice: 3_000 },
      { ...aToken, currency: 'usdc', network: 'polygon' },
    ],
    deliver: () => Promise.resolve(`0x${randomBytes(32).toString('hex')}` as const),
    ...variant,
  });

async function start(): Promise<void> {
  partner ??= await startCapturingServer();
  lab ??= await startLab();
}

const sold = {
  fiat: 'usd',
  fiatAmount: '100',
  method: 'CREDIT_CARD',
  token: `alphanet:${USDC}`,
  tokenDecimals: 6,
} as const;

const usdcOnBase = { currency: 'usdc', network: 'base', token: sold.token };
const limits = { usd: { min: '20', max: '5000' }, eur: { min: '25', max: '4000.50' } };

const entry = (baseUrl: string, others: object = {}) => ({
  name: 'stripe',
  adapter: 'stripe',
  sandbox: true,
  base_url: baseUrl,
  api_key: SECRET_KEY,
  callback_secret: WEBHOOK_SECRET,
  limits,
  tokens: [
    { ...usdcOnBase, places: { except: ['USA-NY'] } },
    { currency: 'eth', network: 'base', token: 'alphanet:0x' },
    { currency: 'matic', network: 'polygon', token: 'betanet:0x' },
  ],
  ...others,
});

const providerWith = (baseUrl: string, others?: object): OnrampProvider =>
  adapterOf(entry(baseUrl, others));

const callbacksOf = (paymentId: string) => callbacksAbout(partner, paymentId);

afterAll(async () => {
  await lab.stop();
  await partner.stop();
});

onrampProviderContract('stripe', 'stripe', async () => {
  await start();
  return {
    provider: providerWith(lab.url),
    baseUrl: lab.url,
    providerAt: (baseUrl, timeoutMs) => providerWith(baseUrl, { timeout_ms: timeoutMs }),
    sold,
    tooLow: '19.99',
    tooHigh: '90000',
    notSold: 'alphanet:0x00000000000000000000000000000000000000ee',
    depositAddress: WALLET,
    orderedBy: 'checkout',
    begin: (order) => press('begin', order),
    pay: (order) => press('pay', order),
    decline: (order) => press('reject', order),
    eventually,
    callback: (paymentId) => lastCallback(partner, paymentId),
    stop: async () => undefined,
  };
});

describe('Stripe', () => {
  let provider: OnrampProvider;
  beforeAll(async () => {
    await start();
    provider = providerWith(lab.url);
  });

  const place = (
    change: Partial<OnrampCheckoutRequest> = {},
    at = provider,
  ): Promise<PlacedOrder> => placeOrder(at, sold, { depositAddress: WALLET, ...change });
  const withLab = async (
    variant: Parameters<typeof startLab>[0],
    use: (variantLab: StripeLab) => Promise<void>,
  ) => {
    const variantLab = await startLab(variant);
    try {
      await use(variantLab);
    } finally {
      await variantLab.stop();
    }
  };

  describe('the coverage', () => {
    it('lists configured tokens that Stripe quotes, where they may be sold', async () => {
      const { fiats, tokens, places } = await provider.coverage();
      expect(tokens).toEqual([
        { token: sold.token, places: { except: ['USA-NY'] } },
        // ETH on Base, as Stripe documents.
        { token: 'alphanet:0x', places: { except: expect.arrayContaining(['DEU', 'FRA']) } },
      ]);
      expect(places?.only).toHaveLength(28);
      expect(places?.only).toEqual(expect.arrayContaining(['USA', 'DEU', 'FRA']));
      expect(places?.except).toEqual(['USA-HI']);
      const methodsOf = (code: string) =>
        fiats.find((fiat) => fiat.code === code)?.methods.map(({ method }) => method);
      const cards = ['CREDIT_CARD', 'DEBIT_CARD', 'APPLE_PAY', 'GOOGLE_PAY'];
      expect(fiats.map(({ code }) => code)).toEqual(['usd', 'eur']);
      expect(methodsOf('usd')).toEqual([...cards, 'ACH']);
      expect(methodsOf('eur')).toEqual(cards);
    });

    it('has the methods and places of the operator', async () => {
      const own = providerWith(lab.url, {
        methods: ['ACH', 'CREDIT_CARD'],
        places: { only: ['USA'] },
        limits: { usd: limits.usd },
      });
      const { fiats, places } = await own.coverage();
      expect(fiats).toEqual([
        {
          code: 'usd',
          methods: [
            { method: 'ACH', ...limits.usd, places: { only: ['USA'] } },
            { method: 'CREDIT_CARD', ...limits.usd },
          ],
        },
      ]);
      expect(places).toEqual({ only: ['USA'] });
    });
  });

  it.each([
    ['with a test key for real money', { sandbox: undefined }],
    ['with a live key for play money', { api_key: 'sk_live_lab' }],
    ['without limits', { limits: undefined }],
    ['with limits of no known currency', { limits: { chf: limits.usd } }],
    ['with a least amount above the largest', { limits: { usd: { min: '10', max: '5' } } }],
    ['with a least amount of zero', { limits: { usd: { min: '0', max: '5' } } }],
    ['with an amount as a number', { limits: { usd: { min: 5, max: 10 } } }],
    ['without tokens', { tokens: [] }],
    ['with a token twice', { tokens: [usdcOnBase, { ...usdcOnBase, network: 'polygon' }] }],
    ['with a pair twice', { tokens: [usdcOnBase, { ...usdcOnBase, token: 'alphanet:0x' }] }],
    ['with a token that is not one', { tokens: [{ ...usdcOnBase, token: 'usdc' }] }],
    ['with an unknown place', { places: { only: ['Germany'] } }],
    ['with a method that Stripe does not have', { methods: ['SEPA'] }],
  ])('refuses a configuration %s', (_what, others) => {
    expect(() => parseProviders(JSON.stringify([entry(lab.url, others)]))).toThrow();
  });

  describe('a quote', () => {
    it('splits a total of which Stripe adds the fees to the rest', async () => {
      // 95.83 and fees of 4 % and 0.17: the total is 99.83.
      expect(await provider.quote(sold)).toEqual({
        providerQuoteId: 'usdc:base:95.83',
        deliveryAmount: 95_830_000n,
        fees: { total: '4.17' },
        latencySeconds: 600,
        limits: limits.usd,
      });
    });

    it('comes close to the total with high fees, never above it', async () => {
      await withLab({ feeShare: 0.25 }, async (costly) => {
        const { deliveryAmount, fees } = await providerWith(costly.url).quote(sold);
        const total = (Number(deliveryAmount) / 1_000_000) * 1.25 + 0.17;
        expect(total).toBeGreaterThan(99);
        expect(total).toBeLessThanOrEqual(100);
        expect(Number(fees.total)).toBeCloseTo(100 - Number(deliveryAmount) / 1_000_000, 6);
        expect(costly.quoteRequests).toHaveLength(3);
      });
    });

    it('is refused where fees take the whole amount', async () => {
      await withLab({ feeShare: 1.5 }, async (costly) => {
        await expect(providerWith(costly.url).quote(sold)).rejects.toMatchObject({
          code: 'mismatch',
          retryable: false,
        });
      });
    });

    it('rounds native currency down to the digits that Stripe tells', async () => {
      const eth = { ...sold, token: 'alphanet:0x', tokenDecimals: 18 } as const;
      expect((await provider.quote(eth)).deliveryAmount).toBe(31_943_330_000_000_000n);
    });

    it.each(QUOTE_PATHS)('is read at %s, also when only that path exists', async (quotePath) => {
      await withLab({ quotePath }, async (only) => {
        const at = providerWith(only.url);
        await at.quote(sold);
        only.quoteRequests.length = 0;
        await at.quote({ ...sold, fiatAmount: '101' });
        expect(new Set(only.quoteRequests)).toEqual(new Set([quotePath]));
      });
    });

    it('is asked for once for all methods of payment', async () => {
      await withLab({}, async (asked) => {
        const at = providerWith(asked.url);
        const one = await at.quote(sold);
        const requests = asked.quoteRequests.length;
        const methods = ['DEBIT_CARD', 'APPLE_PAY', 'ACH'] as const;
        const others = await Promise.all(methods.map((method) => at.quote({ ...sold, method })));
        expect(others.map(({ deliveryAmount }) => deliveryAmount)).toEqual(
          methods.map(() => one.deliveryAmount),
        );
        expect(asked.quoteRequests).toHaveLength(requests);
      });
    });

    it.each(['base', 'base_network'])('is found under the name %s of Base', async (baseKey) => {
      await withLab({ baseKey }, async (named) => {
        const at = providerWith(named.url, { base_network_key: baseKey });
        const order = await place({}, at);
        await press('begin', order);
        expect(await at.status(order)).toEqual({ status: 'AWAITING_PAYMENT' });
      });
    });

    it.each([
      [{ method: 'SEPA' as const }, 'payin_method'],
      [{ method: 'ACH' as const, fiat: 'eur' }, 'payin_method'],
      [{ fiat: 'gbp' }, 'provider'],
      [{ token: 'betanet:0x' as const }, 'provider'],
    ])('is refused for %j', async (change, kind) => {
      await expect(provider.quote({ ...sold, ...change })).rejects.toMatchObject({
        code: 'unsupported',
        issues: [{ kind }],
      });
    });

    it('is refused for an amount that Stripe refuses within our limits', async () => {
      const wide = { usd: { min: '1', max: '100000' } };
      const refused = providerWith(lab.url, { limits: wide }).quote({
        ...sold,
        fiatAmount: '50000',
      });
      await expect(refused).rejects.toMatchObject({
        code: 'amount',
        issues: [{ kind: 'amount', given: '50000', limits: wide.usd, reason: 'UNKNOWN' }],
      });
    });

    it('is refused with another key, without telling it', async () => {
      const refused = providerWith(lab.url, { api_key: 'sk_test_other' }).quote(sold);
      await expect(refused).rejects.toMatchObject({
        code: 'rejected',
        issues: [{ message: 'stripe: the API key is not valid, or may not do this' }],
      });
    });
  });

  describe('a checkout', () => {
    it('sends a form that locks address, token and amount, with its idempotency key', async () => {
      const recorder = await startCapturingServer(() => ({ status: 400, body: '{"error":{}}' }));
      const paymentId = uuidv7();
      const checkout = providerWith(recorder.url, { api_version: '2026-08-26.dahlia' });
      await expect(
        checkout.createCheckout({
          ...sold,
          paymentId,
          providerQuoteId: 'usdc:base:95.83',
          depositAddress: WALLET,
          customer: { ipAddress: '192.0.2.1' },
        }),
      ).rejects.toMatchObject({ name: 'ProviderError' });
      await recorder.stop();
      const [request] = recorder.requests;
      expect(request).toMatchObject({
        method: 'POST',
        path: '/v1/crypto/onramp_sessions',
        headers: {
          authorization: `Bearer ${SECRET_KEY}`,
          'idempotency-key': paymentId,
          'stripe-version': '2026-08-26.dahlia',
        },
      });
      const form = new URLSearchParams(request?.body.toString());
      expect(Object.fromEntries(form)).toEqual({
        'wallet_addresses[base_network]': WALLET,
        lock_wallet_address: 'true',
        source_currency: 'usd',
        destination_amount: '95.83',
        destination_currency: 'usdc',
        destination_network: 'base',
        'destination_currencies[]': 'usdc',
        'destination_networks[]': 'base',
        customer_ip_address: '192.0.2.1',
        'metadata[payment_id]': paymentId,
        'metadata[amount]': '95.83',
      });
    });

    it('leads to a page of Stripe with what is bought', async () => {
      const { url } = await place();
      const page = await fetch(url);
      expect(page.status).toBe(200);
      const text = await page.text();
      expect(text).toContain('95.83 usdc on base');
      expect(text).toContain(WALLET);
    });

    it('is refused for another amount under the same payment', async () => {
      const order = await place();
      const changed = { ...sold, ...order, providerQuoteId: 'usdc:base:90' };
      await expect(provider.createCheckout(changed)).rejects.toMatchObject({
        code: 'rejected',
        retryable: false,
      });
    });

    it('is refused for a quote of another token', async () => {
      await expect(place({ providerQuoteId: 'eth:base:95.83' })).rejects.toMatchObject({
        code: 'rejected',
      });
    });

    it.each([
      ['unsupported_country', 'rejected', 'geolocation'],
      ['unsupportable_customer', 'rejected', 'geolocation'],
      ['invalid_destination_amount', 'amount', 'amount'],
      ['invalid_source_destination_pair', 'unsupported', 'provider'],
      ['disabled', 'rejected', 'provider'],
    ])('is refused with %s as %s, about %s', async (told, code, kind) => {
      lab.refusedIps.set('192.0.2.9', told);
      const refused = place({ customer: { ipAddress: '192.0.2.9' } });
      await expect(refused).rejects.toMatchObject({ code, retryable: false, issues: [{ kind }] });
    });

    it('is tried again while another request for it is in flight', async () => {
      const error = { type: 'idempotency_error', message: 'in use' };
      const busy = await startCapturingServer(() => ({
        status: 409,
        body: JSON.stringify({ error }),
      }));
      const checkout = providerWith(busy.url).createCheckout({
        ...sold,
        paymentId: uuidv7(),
        providerQuoteId: 'usdc:base:95.83',
        depositAddress: WALLET,
      });
      await expect(checkout).rejects.toMatchObject({ code: 'unavailable', retryable: true });
      await busy.stop();
    });
  });

  describe('an order', () => {
    it('fails once Stripe rejects the customer', async () => {
      const order = await place();
      await press('reject', order);
      expect(await provider.status(order)).toEqual({
        status: 'FAILED',
        reason: 'Stripe did not accept the customer.',
      });
    });

    it('is unknown in a state that the table does not name', async () => {
      const order = await place();
      lab.faults.set(order.paymentId, { endsAs: 'refunding' });
      await press('pay', order);
      expect((await provider.status(order)).status).toBe('UNKNOWN');
    });

    it('is unknown where Stripe has no such session', async () => {
      const order = { ...(await place()), checkoutId: 'cos_never' };
      expect(await provider.status(order)).toEqual({ status: 'UNKNOWN' });
    });

    it('reports what was told as delivered, which only the chain proves', async () => {
      const order = await place();
      lab.faults.set(order.paymentId, { toldAmount: 95.400_000_9 });
      await press('pay', order);
      await eventually(async () => {
        const { deliveredAmount } = await provider.status(order);
        expect(deliveredAmount).toBe(95_400_000n);
      });
    });

    it('is not paid by a purchase of much less', async () => {
      const order = await place();
      lab.faults.set(order.paymentId, { toldAmount: 2 });
      await press('pay', order);
      await eventually(async () => {
        expect(await provider.status(order)).toEqual({ status: 'CREATED' });
      });
    });

    it('has no transaction hash where Stripe tells another id', async () => {
      await withLab({ deliver: () => Promise.resolve('cxt_1' as '0x') }, async (other) => {
        const at = providerWith(other.url);
        const order = await place({}, at);
        await press('pay', order);
        await eventually(async () => {
          expect(await at.status(order)).toEqual({
            status: 'DELIVERED',
            deliveredAmount: 95_830_000n,
          });
        });
      });
    });

    it.each(['slow', 'rate_limited', 'fails', 'html'] as const)(
      'is unavailable while the API is %s, and back afterwards',
      async (fault) => {
        const order = await place();
        const faulty = providerWith(lab.url, { timeout_ms: 400 });
        lab.fault = fault;
        try {
          const unavailable = { code: 'unavailable', retryable: true };
          await expect(faulty.status(order)).rejects.toMatchObject(unavailable);
        } finally {
          lab.fault = null;
        }
        await eventually(async () => {
          expect((await faulty.status(order)).status).toBe('CREATED');
        });
      },
    );
  });

  describe('a callback', () => {
    const signed = (event: object) => {
      const rawBody = Buffer.from(JSON.stringify(event));
      const t = String(Math.floor(Date.now() / 1_000));
      const v1 = createHmac('sha256', WEBHOOK_SECRET).update(`${t}.`).update(rawBody).digest('hex');
      return [{ 'stripe-signature': `t=${t},v1=${v1}` }, rawBody] as const;
    };

    it('has one id when it is sent twice, and another one for other news', async () => {
      const order = await place();
      lab.faults.set(order.paymentId, { callbacks: 'twice' });
      await press('pay', order);
      await eventually(() => expect(callbacksOf(order.paymentId)).toHaveLength(6));
      const ids = await callbackIds(provider, callbacksOf(order.paymentId));
      expect(new Set(ids).size).toBe(3);
    });

    it('is refused when it is forged', async () => {
      const order = await place();
      lab.faults.set(order.paymentId, { callbacks: 'forged' });
      await press('begin', order);
      await eventually(() => expect(callbacksOf(order.paymentId)).toHaveLength(1));
      const [forged] = callbacksOf(order.paymentId);
      await expect(
        provider.parseCallback(forged?.headers ?? {}, forged?.body ?? Buffer.of()),
      ).rejects.toMatchObject({ code: 'bad_signature' });
    });

    it.each([
      ['crypto.onramp_session.updated', { metadata: { payment_id: 'p1' } }, 'p1'],
      ['crypto.onramp_session_updated', { metadata: { payment_id: 'p1' } }, 'p1'],
      ['crypto.onramp_session.updated', { metadata: {} }, null],
      ['crypto.onramp_session.updated', { metadata: null }, null],
      ['payment_intent.succeeded', { metadata: { payment_id: 'p1' } }, null],
    ])('with the type %s and %j names the payment %s', async (type, object, paymentId) => {
      const [headers, body] = signed({ id: 'evt_1', type, data: { object } });
      expect(await provider.parseCallback(headers, body)).toEqual({
        callbackId: 'evt_1',
        paymentId,
      });
    });
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startMoonPay, type PartyLab } from '@bascule/providers-lab';
import { eventually, startCapturingServer, type CapturingServer } from '@bascule/testing';
import { createHmac, randomBytes } from 'node:crypto';
import type { OnrampCheckoutRequest, OnrampProvider } from '../port/onramp-provider.js';
import { parseProviders } from '../providers-config.js';
import { startAlteringProxy, type AlteringProxy } from '../testing/altering-proxy.fixture.js';
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
const PUBLISHABLE_KEY = 'pk_test_lab';
const SECRET_KEY = 'sk_test_lab';
const WEBHOOK_KEY = 'wk_test_lab';

let partner: CapturingServer;
let lab: PartyLab;

const aToken = { chainId: 31337, contract: USDC, decimals: 6, usdPrice: 1 };

async function start(): Promise<void> {
  partner ??= await startCapturingServer();
  lab ??= await startMoonPay({
    publishableKey: PUBLISHABLE_KEY,
    secretKey: SECRET_KEY,
    webhookKey: WEBHOOK_KEY,
    callbackUrl: `${partner.url}/providers/moonpay/callbacks`,
    tokens: [
      { ...aToken, code: 'usdc_alphanet', notAllowedUSStates: ['NY'], notAllowedCountries: ['CA'] },
      { ...aToken, code: 'eth_alphanet', contract: null, decimals: 18, usdPrice: 3_000 },
      { ...aToken, code: 'gone_alphanet', contract: WALLET, isSuspended: true },
      { ...aToken, code: 'usdc_elsewhere', chainId: 999_999 },
    ],
    deliver: () => Promise.resolve(`0x${randomBytes(32).toString('hex')}` as const),
  });
}

const entry = (baseUrl: string, others: object = {}) => ({
  name: 'moonpay',
  adapter: 'moonpay',
  base_url: baseUrl,
  api_key: PUBLISHABLE_KEY,
  callback_secret: WEBHOOK_KEY,
  secret_key: SECRET_KEY,
  checkout_url: lab.url,
  sandbox: true,
  ...others,
});

const providerWith = (baseUrl: string, others?: object): OnrampProvider =>
  adapterOf(entry(baseUrl, others));

const sold = {
  fiat: 'usd',
  fiatAmount: '100',
  method: 'CREDIT_CARD',
  token: `alphanet:${USDC}`,
  tokenDecimals: 6,
} as const;

const callbacksOf = (paymentId: string) => callbacksAbout(partner, paymentId);

afterAll(async () => {
  await lab.stop();
  await partner.stop();
});

onrampProviderContract('moonpay', 'moonpay', async () => {
  await start();
  return {
    provider: providerWith(lab.url),
    baseUrl: lab.url,
    providerAt: (baseUrl, timeoutMs) => providerWith(baseUrl, { timeout_ms: timeoutMs }),
    sold,
    tooLow: '5',
    tooHigh: '90000',
    notSold: 'alphanet:0x00000000000000000000000000000000000000ee',
    depositAddress: WALLET,
    orderedBy: 'customer',
    begin: (order) => press('begin', order),
    pay: (order) => press('pay', order),
    decline: (order) => press('decline', order),
    eventually,
    callback: (paymentId) => lastCallback(partner, paymentId),
    stop: async () => undefined,
  };
});

describe('MoonPay', () => {
  let provider: OnrampProvider;
  beforeAll(async () => {
    await start();
    provider = providerWith(lab.url);
  });

  const place = (change: Partial<OnrampCheckoutRequest> = {}): Promise<PlacedOrder> =>
    placeOrder(provider, sold, { depositAddress: WALLET, ...change });

  const delivered = (order: PlacedOrder) =>
    eventually(async () => {
      const current = await provider.status(order);
      expect(current.status).toBe('DELIVERED');
      return current;
    });

  it('sells what is for sale on known chains, where it may be sold', async () => {
    const { fiats, tokens, places } = await provider.coverage();
    expect(tokens).toEqual([
      { token: sold.token, places: { except: ['CAN', 'USA-NY'] } },
      { token: 'alphanet:0x' },
    ]);
    expect(places).toEqual({ only: ['USA', 'CAN', 'DEU', 'GBR', 'BRA'], except: ['USA-VI'] });
    const methodsOf = (code: string) =>
      fiats.find((fiat) => fiat.code === code)?.methods.map(({ method }) => method);
    const cards = ['CREDIT_CARD', 'DEBIT_CARD', 'APPLE_PAY', 'GOOGLE_PAY'];
    expect(methodsOf('usd')).toEqual(cards);
    expect(methodsOf('eur')).toEqual(cards);
    expect(methodsOf('brl')).toEqual([...cards, 'PIX']);
  });

  it('leaves out what it cannot read of a list, and keeps the rest', async () => {
    const proxy = await startAlteringProxy(lab.url);
    try {
      proxy.alter = ({ path, body }) =>
        path === '/v3/currencies' || path === '/v3/countries'
          ? [{ type: 'crypto', code: 7 }, ...(body as object[])]
          : body;
      const { tokens, fiats, places } = await providerWith(proxy.baseUrl).coverage();
      expect(tokens).toHaveLength(2);
      expect(fiats).toHaveLength(4);
      expect(places?.only).toHaveLength(5);
    } finally {
      await proxy.stop();
    }
  });

  it('offers other methods where its entry names them', async () => {
    const { fiats } = await providerWith(lab.url, {
      methods: ['SEPA', 'FIAT_BALANCE'],
    }).coverage();
    expect(fiats.map(({ code, methods }) => [code, methods.map(({ method }) => method)])).toEqual([
      ['usd', ['FIAT_BALANCE']],
      ['eur', ['SEPA', 'FIAT_BALANCE']],
      ['gbp', ['FIAT_BALANCE']],
      ['brl', []],
    ]);
  });

  it('does not start without what it needs', () => {
    for (const missing of [
      { sandbox: undefined },
      { api_key: 'pk_live_lab' },
      { api_key: 'pk_live_lab', secret_key: 'sk_live_lab' },
      { secret_key: 'of no mode' },
      { secret_key: undefined },
      { checkout_url: 'buy' },
      { methods: ['UPI'] },
    ]) {
      expect(() => parseProviders(JSON.stringify([entry(lab.url, missing)]))).toThrow();
    }
  });

  it('refuses a method that it does not offer for the currency', async () => {
    await expect(provider.quote({ ...sold, method: 'SEPA' })).rejects.toMatchObject({
      code: 'unsupported',
      issues: [{ kind: 'payin_method' }],
    });
  });

  it('splits the total, fees included', async () => {
    const quote = await provider.quote(sold);
    expect(quote).toMatchObject({
      deliveryAmount: 95_400_000n,
      fees: { total: '4.6' },
      providerQuoteId: `usdc_alphanet - 95.4 ${sold.token}`,
      limits: { min: '20', max: '30000' },
    });
  });

  it('quotes native currency to its last digit', async () => {
    const eth = { ...sold, token: 'alphanet:0x', tokenDecimals: 18 } as const;
    expect((await provider.quote(eth)).deliveryAmount).toBe(31_800_000_000_000_000n);
  });

  it('locks address, token and amount in a page that refuses every change', async () => {
    const { url, paymentId } = await place({
      redirectUrl: 'https://shop.example/return?a=b',
      customer: { id: 'customer & 1' },
    });
    const asked = new URL(url);
    expect(Object.fromEntries(asked.searchParams)).toEqual({
      apiKey: PUBLISHABLE_KEY,
      currencyCode: 'usdc_alphanet',
      walletAddress: WALLET,
      baseCurrencyCode: 'usd',
      quoteCurrencyAmount: '95.4',
      lockAmount: 'true',
      paymentMethod: 'credit_debit_card',
      externalTransactionId: paymentId,
      externalCustomerId: 'customer & 1',
      redirectURL: 'https://shop.example/return?a=b',
      signature: expect.any(String),
    });
    expect((await fetch(url)).status).toBe(200);
    expect((await fetch(url.replace('d1', 'd2'))).status).toBe(400);
  });

  it('delivers after a declined attempt, on the same page', async () => {
    const order = await place();
    await press('decline', order);
    expect(await provider.status(order)).toEqual({
      status: 'AWAITING_PAYMENT',
      reason: 'The card was declined.',
    });
    await press('pay', order);
    await eventually(async () => {
      expect((await provider.status(order)).status).toBe('DELIVERED');
    });
  });

  describe('an order with several attempts', () => {
    let proxy: AlteringProxy;
    beforeAll(async () => {
      proxy = await startAlteringProxy(lab.url);
    });
    afterAll(() => proxy.stop());
    const anotherAddress = `0x${'ab'.repeat(20)}`;

    it.each([
      ['to another address', { status: 'completed', walletAddress: anotherAddress }],
      ['for much less', { status: 'completed', quoteCurrencyAmount: 20 }],
    ])('ignores what somebody starts under its id %s', async (_what, change) => {
      const order = await place();
      await press('begin', order);
      proxy.alter = ({ body }) =>
        (body as object[]).flatMap((attempt) => [{ ...attempt, ...change }, attempt]);
      const { status } = await providerWith(proxy.baseUrl).status(order);
      expect(status).toBe('AWAITING_PAYMENT');
      proxy.alter = ({ body }) => (body as object[]).map((attempt) => ({ ...attempt, ...change }));
      expect(await providerWith(proxy.baseUrl).status(order)).toEqual({ status: 'CREATED' });
    });

    it.each([
      ['an address in other words', { walletAddress: `eip155:1:${WALLET}` }],
      ['no address', { walletAddress: null }],
      ['another code of the token', { currency: { code: 'usdc_renamed' } }],
    ])('is unknown, not unpaid, with %s', async (_what, change) => {
      const order = await place();
      await press('pay', order);
      await delivered(order);
      proxy.alter = ({ body }) => (body as object[]).map((attempt) => ({ ...attempt, ...change }));
      expect(await providerWith(proxy.baseUrl).status(order)).toEqual({ status: 'UNKNOWN' });
    });

    it('has the state of the newest one where none got further', async () => {
      const order = await place();
      await press('begin', order);
      const old = {
        createdAt: '2026-01-01T00:00:00Z',
        status: 'failed',
        failureReason: 'declined',
      };
      proxy.alter = ({ body }) =>
        (body as object[]).flatMap((attempt) => [{ ...attempt, ...old }, attempt]);
      expect(await providerWith(proxy.baseUrl).status(order)).toEqual({
        status: 'AWAITING_PAYMENT',
      });
    });

    it('is still asked about while its transaction on the chain is not told', async () => {
      const order = await place();
      await press('pay', order);
      await delivered(order);
      proxy.alter = ({ body }) =>
        (body as object[]).map((attempt) => ({ ...attempt, cryptoTransactionId: 'soon' }));
      expect((await providerWith(proxy.baseUrl).status(order)).status).toBe('PROCESSING');
    });

    it('is read as one transaction, too', async () => {
      const order = await place();
      await press('pay', order);
      const expected = await delivered(order);
      proxy.alter = ({ body }) => (body as object[])[0];
      expect(await providerWith(proxy.baseUrl).status(order)).toEqual(expected);
    });
  });

  it('was paid when the customer started it', async () => {
    const before = Date.now();
    const order = await place();
    await press('pay', order);
    const { paidAt } = await delivered(order);
    expect(paidAt?.getTime()).toBeGreaterThanOrEqual(before);
    expect(paidAt?.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('does not report an unknown state as a failure', async () => {
    const order = await place();
    lab.faults.set(order.paymentId, { endsAs: 'frozen' });
    await press('pay', order);
    expect((await provider.status(order)).status).toBe('UNKNOWN');
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

  it.each(['slow', 'rate_limited', 'fails', 'html'] as const)(
    'is unavailable while its API is %s, and back afterwards',
    async (fault) => {
      const order = await place();
      await press('begin', order);
      const faulty = providerWith(lab.url, { timeout_ms: 400 });
      lab.fault = fault;
      try {
        const unavailable = { code: 'unavailable', retryable: true };
        await expect(faulty.status(order)).rejects.toMatchObject(unavailable);
      } finally {
        lab.fault = null;
      }
      await eventually(async () => {
        expect((await faulty.status(order)).status).toBe('AWAITING_PAYMENT');
      });
    },
  );

  describe('a callback', () => {
    const signed = (body: object) => {
      const rawBody = Buffer.from(JSON.stringify(body));
      const t = Math.floor(Date.now() / 1_000);
      const mac = createHmac('sha256', WEBHOOK_KEY).update(`${t}.`).update(rawBody).digest('hex');
      return provider.parseCallback({ 'moonpay-signature-v2': `t=${t},s=${mac}` }, rawBody);
    };

    it.each([
      { type: 'identity_check_updated', data: null },
      { type: 'sell_transaction_updated', data: { externalTransactionId: 'p1' } },
      { type: 'transaction_updated', data: { id: 'a' } },
    ])('is about no order: %j', async (event) => {
      expect((await signed(event)).paymentId).toBeNull();
    });

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
  });
});

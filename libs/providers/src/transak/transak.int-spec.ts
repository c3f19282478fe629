import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { createOnrampQuoters } from '../create-onramp-providers.js';
import type { OnrampCheckoutRequest, OnrampProvider } from '../port/onramp-provider.js';
import { parseProviders } from '../providers-config.js';
import { startAlteringProxy, type AlteringProxy } from '../testing/altering-proxy.fixture.js';
import { callbackIds, placeOrder, press } from '../testing/customer.fixture.js';
import { onrampProviderContract, type PlacedOrder } from '../testing/index.js';
import { sold, TransakStage, USER_IP, WALLET } from './testing.fixture.js';

let stage: TransakStage;

beforeAll(async () => {
  stage = await TransakStage.start();
});

afterAll(async () => {
  await stage.stop();
});

onrampProviderContract('transak', 'transak', () =>
  Promise.resolve({
    provider: stage.provider(),
    baseUrl: stage.lab.url,
    providerAt: (baseUrl, timeoutMs) => stage.providerAt(baseUrl, { timeout_ms: timeoutMs }),
    sold,
    tooLow: '2',
    tooHigh: '90000',
    notSold: 'alphanet:0x00000000000000000000000000000000000000ee',
    depositAddress: WALLET,
    orderedBy: 'customer',
    begin: (order) => press('begin', order),
    pay: (order) => press('pay', order),
    decline: (order) => press('decline', order),
    eventually,
    signedIn: 'body',
    callback: (paymentId) => Promise.resolve(stage.lastCallback(paymentId)),
    stop: async () => undefined,
  }),
);

describe('Transak', () => {
  let provider: OnrampProvider;
  beforeAll(() => {
    provider = stage.provider();
  });

  const place = (
    change: Partial<OnrampCheckoutRequest> = {},
    by = provider,
  ): Promise<PlacedOrder> => placeOrder(by, sold, { depositAddress: WALLET, ...change });

  const delivered = (order: PlacedOrder) =>
    eventually(async () => {
      const current = await provider.status(order);
      expect(current.status).toBe('DELIVERED');
      return current;
    });

  describe('coverage', () => {
    it('has what is for sale on known chains, with limits and places by method', async () => {
      const { fiats, tokens, places } = await provider.coverage();
      expect(tokens).toEqual([
        { token: sold.token, places: { except: ['DEU'] } },
        { token: 'alphanet:0x' },
      ]);
      expect(places).toBeUndefined();
      const usa = { places: { only: ['USA', 'PRI'] } };
      const europe = { places: { only: ['DEU', 'FRA'] } };
      expect(fiats).toEqual([
        {
          code: 'usd',
          methods: [
            { method: 'CREDIT_CARD', min: '5', max: '3000', ...usa },
            { method: 'DEBIT_CARD', min: '5', max: '3000', ...usa },
            { method: 'APPLE_PAY', min: '5', max: '3000', ...usa },
            { method: 'GOOGLE_PAY', min: '30', max: '1500', ...usa },
          ],
        },
        {
          code: 'eur',
          methods: [
            { method: 'CREDIT_CARD', min: '5', max: '3000', ...europe },
            { method: 'DEBIT_CARD', min: '5', max: '3000', ...europe },
          ],
        },
        { code: 'brl', methods: [] },
      ]);
    });

    it('has other methods where the entry names them, by an id of Transak where none is documented', async () => {
      const { fiats } = await stage
        .provider({
          methods: ['SEPA', 'WIRE', 'PIX'],
          payment_options: { PIX: { id: 'pm_pix', latency_seconds: 600 } },
        })
        .coverage();
      expect(fiats.map(({ code, methods }) => [code, methods])).toEqual([
        ['usd', [{ method: 'WIRE', min: '1000', max: '10000', places: { only: ['USA'] } }]],
        ['eur', [{ method: 'SEPA', min: '30', max: '20000', places: { only: ['DEU', 'FRA'] } }]],
        ['brl', [{ method: 'PIX', min: '50', max: '15000', places: { only: ['BRA'] } }]],
      ]);
    });

    it('leaves out methods whose limits are in another currency', async () => {
      const proxy = await startAlteringProxy(stage.lab.url);
      try {
        proxy.alter = ({ body }) =>
          JSON.parse(
            JSON.stringify(body).replaceAll('"limitCurrency":"USD"', '"limitCurrency":"EUR"'),
          );
        const { fiats } = await stage.providerAt(proxy.baseUrl).coverage();
        expect(fiats.map(({ code, methods }) => [code, methods.length])).toEqual([
          ['usd', 0],
          ['eur', 2],
          ['brl', 0],
        ]);
      } finally {
        await proxy.stop();
      }
    });

    it('leaves out entries that are unreadable, and keeps the rest', async () => {
      const proxy = await startAlteringProxy(stage.lab.url);
      try {
        proxy.alter = ({ path, body }) =>
          /currencies$/.test(path)
            ? { response: [{ symbol: 7 }, ...(body as { response: object[] }).response] }
            : body;
        const { tokens, fiats } = await stage.providerAt(proxy.baseUrl).coverage();
        expect([tokens.length, fiats.length]).toEqual([2, 3]);
      } finally {
        await proxy.stop();
      }
    });
  });

  it('quotes without an access token, in a service without a store of them', async () => {
    const config = parseProviders(JSON.stringify([stage.entry()]));
    const quoter = createOnrampQuoters(config).get('transak');
    const { issued } = stage.lab.accessTokens;
    expect((await quoter?.coverage())?.tokens).toHaveLength(2);
    expect((await quoter?.quote(sold))?.deliveryAmount).toBe(95_010_000n);
    expect(stage.lab.accessTokens.issued).toBe(issued);
  });

  it.each([
    { api_secret: undefined },
    { gateway_url: undefined },
    { checkout_url: 'pay' },
    { referrer_domain: 'https://pay.example.com/' },
    { methods: ['UPI'] },
    { payment_options: { PIX: { id: 'PIX!', latency_seconds: 600 } } },
    { payment_options: { PIX: { id: 'pm_pix', latency_seconds: 0 } } },
    { base_url: 'https://api.transak.com' },
    { base_url: 'https://api-stg.transak.com', sandbox: undefined },
    { base_url: 'https://api-stg.transak.com', gateway_url: 'https://api-gateway.transak.com' },
  ])('does not start with %j', (change) => {
    expect(() => parseProviders(JSON.stringify([stage.entry(change)]))).toThrow();
  });

  it.each([
    [{ sandbox: true }, '-stg'],
    [{ sandbox: undefined }, ''],
  ])('starts with %j and hosts of that mode', (mode, suffix) => {
    const hosts = {
      base_url: `https://api${suffix}.transak.com`,
      gateway_url: `https://api-gateway${suffix}.transak.com`,
      checkout_url: `https://global${suffix}.transak.com`,
    };
    expect(parseProviders(JSON.stringify([stage.entry({ ...mode, ...hosts })]))).toHaveLength(1);
  });

  describe('a quote', () => {
    it('splits the total, fees included', async () => {
      expect(await provider.quote(sold)).toMatchObject({
        deliveryAmount: 95_010_000n,
        fees: { total: '4.99' },
        providerQuoteId: `USDC alphanet 95.01 ${sold.token}`,
        limits: { min: '5', max: '3000' },
      });
    });

    it('is for native currency to its last digit', async () => {
      const eth = { ...sold, token: 'alphanet:0x', tokenDecimals: 18 } as const;
      expect((await provider.quote(eth)).deliveryAmount).toBe(31_670_000_000_000_000n);
    });

    it.each([
      ['a method that is not offered for the fiat', { method: 'SEPA' }],
      ['a method without an option for the fiat', { fiat: 'brl' }],
      ['a fiat for which the token is not sold', { fiat: 'eur' }],
    ] as const)('is refused for %s', async (_what, change) => {
      await expect(provider.quote({ ...sold, ...change })).rejects.toMatchObject({
        code: 'unsupported',
        issues: [{ kind: 'payin_method' }],
      });
    });

    it.each([
      ['fiat', { fiatCurrency: 'EUR' }],
      ['token', { cryptoCurrency: 'USDT' }],
      ['network', { network: 'ethereum' }],
      ['method', { paymentMethod: 'apple_pay' }],
      ['total', { fiatAmount: 99.98 }],
      ['direction', { isBuyOrSell: 'SELL' }],
    ])('is refused where it is for another %s', async (_what, change) => {
      const proxy = await startAlteringProxy(stage.lab.url);
      try {
        proxy.alter = ({ path, body }) =>
          path.endsWith('/quotes')
            ? { response: { ...(body as { response: object }).response, ...change } }
            : body;
        await expect(stage.providerAt(proxy.baseUrl).quote(sold)).rejects.toMatchObject({
          code: 'mismatch',
        });
      } finally {
        await proxy.stop();
      }
    });

    it('is refused in Transak’s own words', async () => {
      const proxy = await startAlteringProxy(stage.lab.url);
      try {
        proxy.alter = ({ path, body }) =>
          path.endsWith('/crypto-currencies')
            ? JSON.parse(JSON.stringify(body).replaceAll('"USDC"', '"USDX"'))
            : body;
        await expect(stage.providerAt(proxy.baseUrl).quote(sold)).rejects.toMatchObject({
          code: 'rejected',
          issues: [{ kind: 'provider', message: 'transak: Invalid cryptoCurrency' }],
        });
      } finally {
        await proxy.stop();
      }
    });
  });

  describe('a checkout', () => {
    it('is for the IP address of the customer, else for that of the visitor of its link', async () => {
      const named = await place();
      const visitorAddress = '81.2.69.142';
      const visited = await place({ customer: {}, visitorAddress });
      const { userIps } = stage.lab;
      expect(userIps.get(named.paymentId)).toBe(USER_IP);
      expect(userIps.get(visited.paymentId)).toBe(visitorAddress);
    });

    it('is refused where neither is known', async () => {
      const unknown = place({ customer: { id: 'customer-1' } });
      await expect(unknown).rejects.toMatchObject({
        code: 'rejected',
        retryable: false,
        issues: [{ kind: 'provider', message: expect.stringContaining('IP address') }],
      });
    });

    it('opens its page once; the next visit gets another page of the same order', async () => {
      const { providerQuoteId } = await provider.quote(sold);
      const request = {
        ...sold,
        paymentId: '019ad5c0-0000-7000-8000-000000000001',
        providerQuoteId,
        depositAddress: WALLET,
      };
      const [first, second] = [
        await provider.createCheckout(request),
        await provider.createCheckout(request),
      ];
      expect((await fetch(first.url)).status).toBe(200);
      expect((await fetch(first.url)).status).toBe(410);
      expect((await fetch(second.url)).status).toBe(200);
      expect(second.checkoutId).toBe(first.checkoutId);
      expect(first.expiresAt.getTime() - Date.now()).toBeLessThan(60_000);
      const order = { ...request, checkoutId: first.checkoutId, url: second.url };
      await press('pay', order);
      await delivered(order);
    });

    it('leads to the configured host only', async () => {
      const elsewhere = stage.provider({ checkout_url: 'https://global.example.com' });
      await expect(place({}, elsewhere)).rejects.toMatchObject({ code: 'mismatch' });
    });
  });

  describe('an order', () => {
    let proxy: AlteringProxy;
    beforeAll(async () => {
      proxy = await startAlteringProxy(stage.lab.url);
    });
    afterAll(async () => {
      await proxy.stop();
    });

    type Item = Record<string, unknown>;
    /** Status of an order whose list at Transak is changed. */
    const statusWith = async (order: PlacedOrder, change: (items: Item[]) => Item[]) => {
      proxy.alter = ({ body }) => ({
        ...(body as object),
        data: change((body as { data: Item[] }).data),
      });
      return stage.providerAt(proxy.baseUrl).status(order);
    };
    const paid = async (): Promise<PlacedOrder> => {
      const order = await place();
      await press('pay', order);
      await delivered(order);
      return order;
    };

    it('goes on after a declined card, at another page', async () => {
      const order = await place();
      await press('decline', order);
      expect(await provider.status(order)).toEqual({
        status: 'AWAITING_PAYMENT',
        reason: 'The card was declined.',
      });
      await press('pay', order);
      await delivered(order);
    });

    it('is refunded, unless the customer has begun again since', async () => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { endsAs: 'REFUNDED' });
      await press('pay', order);
      expect(await provider.status(order)).toEqual({ status: 'REFUNDED' });
      await press('begin', order);
      expect((await provider.status(order)).status).toBe('AWAITING_PAYMENT');
    });

    it.each([
      ['AWAITING_PAYMENT_FROM_USER', 'AWAITING_PAYMENT'],
      ['PAYMENT_DONE_MARKED_BY_USER', 'AWAITING_PAYMENT'],
      ['PROCESSING', 'PROCESSING'],
      ['PENDING_DELIVERY_FROM_TRANSAK', 'PROCESSING'],
      ['ON_HOLD_PENDING_DELIVERY_FROM_TRANSAK', 'PROCESSING'],
      ['FAILED', 'AWAITING_PAYMENT'],
      ['CANCELLED', 'AWAITING_PAYMENT'],
      ['EXPIRED', 'AWAITING_PAYMENT'],
    ])('in the state %s is %s', async (state, expected) => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { endsAs: state });
      await press('pay', order);
      expect((await provider.status(order)).status).toBe(expected);
    });

    it('is not found in a state that our question does not name', async () => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { endsAs: 'FROZEN' });
      await press('pay', order);
      expect(await provider.status(order)).toEqual({ status: 'CREATED' });
    });

    it.each([
      ['another address', { walletAddress: `0x${'aa'.repeat(20)}` }],
      ['much less', { cryptoAmount: 20 }],
    ])('is not paid by a purchase of %s', async (_what, change) => {
      const status = await statusWith(await paid(), (items) =>
        items.map((item) => ({ ...item, ...change })),
      );
      expect(status).toEqual({ status: 'CREATED' });
    });

    it.each([
      ['another network', { network: 'ethereum' }],
      ['another token', { cryptoCurrency: 'USDT' }],
      ['another order', { partnerOrderId: 'another' }],
      ['a sale', { isBuyOrSell: 'SELL' }],
      ['no address', { walletAddress: null }],
    ])('is unknown, not unpaid, by a paid purchase of %s', async (_what, change) => {
      const status = await statusWith(await paid(), (items) =>
        items.map((item) => ({ ...item, ...change })),
      );
      expect(status).toEqual({ status: 'UNKNOWN' });
    });

    it('is known by the question where the answer does not repeat its id', async () => {
      const order = await paid();
      const status = await statusWith(order, (items) =>
        items.map(({ partnerOrderId: _, ...item }) => item),
      );
      expect(status).toEqual(await provider.status(order));
    });

    it('is pending while its transaction on the chain is not told', async () => {
      const status = await statusWith(await paid(), (items) =>
        items.map((item) => ({ ...item, transactionHash: null })),
      );
      expect(status.status).toBe('PROCESSING');
    });

    it('is unknown where Transak has more purchases than are read, and none of them is paid', async () => {
      const order = await place();
      await press('begin', order);
      const status = await statusWith(order, ([item = {}]) =>
        Array.from({ length: 100 }, () => item),
      );
      expect(status).toEqual({ status: 'UNKNOWN' });
    });

    it('reports what was told as delivered, which only the chain proves', async () => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { toldAmount: 95.010_000_9 });
      await press('pay', order);
      expect((await delivered(order)).deliveredAmount).toBe(95_010_000n);
    });

    it('was paid when the customer started it', async () => {
      const before = Date.now();
      const order = await place();
      await press('pay', order);
      const { paidAt } = await delivered(order);
      expect(paidAt?.getTime()).toBeGreaterThanOrEqual(before);
      expect(paidAt?.getTime()).toBeLessThanOrEqual(Date.now());
    });

    it.each(['slow', 'rate_limited', 'fails', 'html'] as const)(
      'is unavailable while the API is %s, and back afterwards',
      async (fault) => {
        const order = await place();
        await press('begin', order);
        const faulty = stage.provider({ timeout_ms: 400 });
        stage.lab.fault = fault;
        try {
          const unavailable = { code: 'unavailable', retryable: true };
          await expect(faulty.status(order)).rejects.toMatchObject(unavailable);
        } finally {
          stage.lab.fault = null;
        }
        await eventually(async () => {
          expect((await faulty.status(order)).status).toBe('AWAITING_PAYMENT');
        });
      },
    );
  });

  it('delivers without a callback', async () => {
    const order = await place();
    stage.lab.faults.set(order.paymentId, { callbacks: 'lost' });
    await press('pay', order);
    await delivered(order);
    expect(stage.callbacksOf(order.paymentId)).toEqual([]);
  });

  describe('a callback', () => {
    it('is refused when it is forged', async () => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { callbacks: 'forged' });
      await press('begin', order);
      const { headers, rawBody } = await eventually(async () =>
        stage.lastCallback(order.paymentId),
      );
      await expect(provider.parseCallback(headers, rawBody)).rejects.toMatchObject({
        code: 'bad_signature',
      });
    });

    it('has one id when it is sent twice, and another one for other news', async () => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { callbacks: 'twice' });
      await press('pay', order);
      await eventually(() => expect(stage.callbacksOf(order.paymentId)).toHaveLength(6));
      const ids = await callbackIds(provider, stage.callbacksOf(order.paymentId));
      expect(new Set(ids).size).toBe(3);
    });

    it('says the same in another order, since it says only that there is news', async () => {
      const order = await place();
      stage.lab.faults.set(order.paymentId, { callbacks: 'reversed' });
      await press('pay', order);
      await eventually(() => expect(stage.callbacksOf(order.paymentId)).toHaveLength(3));
      for (const { headers, body } of stage.callbacksOf(order.paymentId)) {
        const { paymentId } = await provider.parseCallback(headers, body);
        expect(paymentId).toBe(order.paymentId);
      }
    });
  });
});

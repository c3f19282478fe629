import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCoinbase, type PartyLab } from '@bascule/providers-lab';
import { eventually, startCapturingServer, type CapturingServer } from '@bascule/testing';
import { generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
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
const WEBHOOK_SECRET = 'whsec_lab';
const ED25519_KEY = 'key-of-ed25519';
const P256_KEY = 'key-of-p256';

const ed25519 = generateKeyPairSync('ed25519');
const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function ed25519Secret(key: KeyObject): string {
  const { d = '', x = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([d, x].map((part) => Buffer.from(part, 'base64url'))).toString('base64');
}

const API_SECRET = ed25519Secret(ed25519.privateKey);
const PEM_SECRET = p256.privateKey.export({ format: 'pem', type: 'sec1' });

let partner: CapturingServer;
let lab: PartyLab;
/** Speaks the other documented spelling and signs webhooks in the older way. */
let otherLab: PartyLab;

const aToken = {
  symbol: 'USDC',
  network: 'alphanet',
  chainId: 31337,
  contract: USDC,
  decimals: 6,
  usdPrice: 1,
} as const;

async function start(): Promise<void> {
  if (partner) return;
  partner = await startCapturingServer();
  const options = {
    publicKeys: new Map([
      [ED25519_KEY, ed25519.publicKey],
      [P256_KEY, p256.publicKey],
    ]),
    webhookSecret: WEBHOOK_SECRET,
    callbackUrl: `${partner.url}/providers/coinbase/callbacks`,
    tokens: [
      aToken,
      { ...aToken, network: 'elsewhere', chainId: 999_999 },
      {
        ...{ ...aToken, symbol: 'ETH', contract: null, decimals: 18, usdPrice: 3_000 },
        notSoldIn: ['DE'],
      },
      { ...aToken, symbol: 'WSOL', contract: null },
      { ...aToken, symbol: 'BTC', network: 'bitcoin', chainId: '' as const, contract: null },
    ],
    deliver: () => Promise.resolve(`0x${randomBytes(32).toString('hex')}` as const),
  };
  lab = await startCoinbase(options);
  otherLab = await startCoinbase({ ...options, spelling: 'camel', signatures: 'v1' });
}

const entry = (baseUrl: string, others: object = {}) => ({
  name: 'coinbase',
  adapter: 'coinbase',
  base_url: baseUrl,
  v1_url: baseUrl,
  api_key: ED25519_KEY,
  api_secret: API_SECRET,
  callback_secret: WEBHOOK_SECRET,
  places: ['USA-CA', 'DEU'],
  ...others,
});

const providerWith = (baseUrl: string, others?: object): OnrampProvider =>
  adapterOf(entry(baseUrl, others));

const sold = {
  fiat: 'usd',
  fiatAmount: '100',
  method: 'DEBIT_CARD',
  token: `alphanet:${USDC}`,
  tokenDecimals: 6,
} as const;

const german = { geolocation: { alpha3_country_code: 'DEU', state_code: 'BE' } };
const from = (country: string, state = '') => ({
  customer: { geolocation: { alpha3_country_code: country, state_code: state } },
});

const callbacksOf = (paymentId: string) => callbacksAbout(partner, paymentId);

afterAll(async () => {
  await lab.stop();
  await otherLab.stop();
  await partner.stop();
});

onrampProviderContract('coinbase', 'coinbase', async () => {
  await start();
  return {
    provider: providerWith(lab.url),
    baseUrl: lab.url,
    providerAt: (baseUrl, timeoutMs) => providerWith(baseUrl, { timeout_ms: timeoutMs }),
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
    callback: (paymentId) => lastCallback(partner, paymentId),
    stop: async () => undefined,
  };
});

describe('Coinbase', () => {
  let provider: OnrampProvider;
  beforeAll(async () => {
    await start();
    provider = providerWith(lab.url);
  });

  const place = (
    change: Partial<OnrampCheckoutRequest> = {},
    by = provider,
  ): Promise<PlacedOrder> => placeOrder(by, sold, { depositAddress: WALLET, ...change });
  const delivered = (order: PlacedOrder, by = provider) =>
    eventually(async () => {
      expect((await by.status(order)).status).toBe('DELIVERED');
    });

  it('sells what is for sale on known chains, where it may be sold', async () => {
    const { tokens, places, fiats } = await provider.coverage();
    expect(tokens).toEqual([
      { token: sold.token },
      { token: 'alphanet:0x', places: { except: ['DEU'] } },
    ]);
    expect(places).toEqual({ only: ['USA-CA', 'USA-NY', 'DEU', 'GBR'] });
    const methodsOf = (code: string) =>
      fiats.find((fiat) => fiat.code === code)?.methods.map(({ method }) => method);
    expect(methodsOf('usd')).toEqual([
      'CREDIT_CARD',
      'DEBIT_CARD',
      'ACH',
      'APPLE_PAY',
      'FIAT_BALANCE',
      'TOKEN_BALANCE',
    ]);
    expect(methodsOf('eur')).toEqual([
      'CREDIT_CARD',
      'DEBIT_CARD',
      'FIAT_BALANCE',
      'TOKEN_BALANCE',
    ]);
  });

  it('offers each method where Coinbase does, and credit cards outside the USA', async () => {
    const { fiats } = await provider.coverage();
    const [usd] = fiats;
    const placesOf = (name: string) => usd?.methods.find(({ method }) => method === name)?.places;
    expect(placesOf('CREDIT_CARD')).toEqual({ only: ['DEU', 'GBR'] });
    expect(placesOf('DEBIT_CARD')).toBeUndefined();
    expect(placesOf('ACH')).toEqual({ only: ['USA'] });
  });

  it('offers other methods where its entry names them', async () => {
    const { fiats } = await providerWith(lab.url, {
      methods: ['PAYPAL', 'TOKEN_BALANCE'],
    }).coverage();
    expect(fiats.map(({ code, methods }) => [code, methods.map(({ method }) => method)])).toEqual([
      ['usd', ['PAYPAL', 'TOKEN_BALANCE']],
      ['eur', ['TOKEN_BALANCE']],
    ]);
  });

  it.each([
    ['without a secret', { api_secret: undefined }],
    ['with a secret of another kind', { api_secret: 'secret' }],
    ['without the URL of v1', { v1_url: undefined }],
    ['with a place without its state', { places: ['USA'] }],
    ['with a place that is none', { places: ['ZZZ'] }],
    ['without places', { places: [] }],
    ['with a method of others', { methods: ['UPI'] }],
    ['with a mode that is none', { sandbox: 'yes' }],
  ])('does not start %s', (_what, wrong) => {
    expect(() => parseProviders(JSON.stringify([entry(lab.url, wrong)]))).toThrow();
  });

  it('splits the total, fees included', async () => {
    expect(await provider.quote(sold)).toMatchObject({
      deliveryAmount: 97_410_000n,
      fees: { total: '2.59' },
      providerQuoteId: `USDC alphanet 97.41 ${sold.token}`,
      limits: { min: '5.00', max: '7500.00' },
    });
  });

  it('quotes native currency in its own decimals', async () => {
    const eth = { ...sold, token: 'alphanet:0x', tokenDecimals: 18 } as const;
    expect((await provider.quote(eth)).deliveryAmount).toBe(32_470_000_000_000_000n);
  });

  it('quotes the balances of an account at Coinbase', async () => {
    for (const method of ['FIAT_BALANCE', 'TOKEN_BALANCE'] as const) {
      const { limits } = await provider.quote({ ...sold, method });
      expect(limits).toEqual({ min: '1.00', max: '25000.00' });
    }
  });

  it('has the limits of the customer’s place', async () => {
    const { limits } = await provider.quote({ ...sold, fiat: 'eur', customer: german });
    expect(limits).toEqual({ min: '5.00', max: '6900.00' });
    await expect(provider.quote({ ...sold, fiat: 'eur', ...from('USA', 'NY') })).rejects.toThrow(
      'not offered for eur in USA-NY',
    );
  });

  it('assumes a place for a customer of an unknown one, and a state in the USA', async () => {
    await expect(provider.quote({ ...sold, fiat: 'eur' })).rejects.toThrow('in USA-CA');
    await expect(provider.quote({ ...sold, fiat: 'eur', ...from('USA') })).rejects.toThrow(
      'in USA-CA',
    );
    const byCredit = { ...sold, fiat: 'eur', method: 'CREDIT_CARD' } as const;
    expect((await provider.quote(byCredit)).deliveryAmount).toBeGreaterThan(0n);
  });

  it('refuses credit cards in the USA', async () => {
    const byCredit = { ...sold, method: 'CREDIT_CARD', ...from('USA', 'CA') } as const;
    await expect(provider.quote(byCredit)).rejects.toMatchObject({
      code: 'unsupported',
      issues: [{ kind: 'payin_method' }],
    });
  });

  it.each([
    ['a method that it does not have', { method: 'SEPA' }, 'unsupported', 'payin_method'],
    ['a method that its entry leaves out', { method: 'PAYPAL' }, 'unsupported', 'payin_method'],
    ['a country that it does not serve', from('JPN'), 'rejected', 'provider'],
    ['a country that is none', from('ZZZ'), 'rejected', 'geolocation'],
  ] as const)('refuses %s', async (_what, change, code, kind) => {
    await expect(provider.quote({ ...sold, ...change })).rejects.toMatchObject({
      code,
      retryable: false,
      issues: [{ kind }],
    });
  });

  it('locks address, token and amount, and tells what is known of the customer', async () => {
    const recorded = await startCapturingServer(async ({ method, path, headers, body }) => {
      const response = await fetch(new URL(path, lab.url), {
        method,
        headers: {
          authorization: String(headers.authorization),
          'content-type': 'application/json',
        },
        ...(method === 'POST' && { body: body.toString('utf8') }),
      });
      return { status: response.status, body: await response.text() };
    });
    try {
      const { paymentId } = await place(
        {
          redirectUrl: 'https://shop.example/return?a=b',
          customer: { ...from('USA', 'NY').customer, ipAddress: '8.8.8.8' },
        },
        providerWith(recorded.url),
      );
      const session = recorded.requests.find(({ path }) => path.includes('sessions'));
      expect(JSON.parse(String(session?.body))).toEqual({
        purchaseCurrency: 'USDC',
        destinationNetwork: 'alphanet',
        destinationAddress: WALLET,
        paymentCurrency: 'USD',
        paymentMethod: 'CARD',
        purchaseAmount: '97.41',
        partnerUserRef: paymentId,
        redirectUrl: 'https://shop.example/return?a=b',
        country: 'US',
        subdivision: 'NY',
        clientIp: '8.8.8.8',
      });
    } finally {
      await recorded.stop();
    }
  });

  it('refuses a checkout of a quote for another token', async () => {
    const { providerQuoteId } = await provider.quote(sold);
    const request = { ...sold, paymentId: uuidv7(), providerQuoteId, depositAddress: WALLET };
    const ofEther = { ...request, token: 'alphanet:0x', tokenDecimals: 18 } as const;
    await expect(provider.createCheckout(ofEther)).rejects.toMatchObject({ code: 'rejected' });
  });

  it('opens its page once, and a new one for the same order later', async () => {
    const order = await place();
    expect((await fetch(order.url)).status).toBe(200);
    expect((await fetch(order.url)).status).toBe(410);
    const { providerQuoteId } = await provider.quote(sold);
    const again = await provider.createCheckout({ ...order, ...sold, providerQuoteId });
    expect(again.checkoutId).toBe(order.checkoutId);
    expect((await fetch(again.url)).status).toBe(200);
    await press('pay', again);
    await delivered(order);
  });

  it('is authorised by a P-256 key as well', async () => {
    const byPem = providerWith(lab.url, { api_key: P256_KEY, api_secret: PEM_SECRET });
    const order = await place({}, byPem);
    await press('pay', order);
    await delivered(order, byPem);
    expect(await byPem.coverage()).toEqual(await provider.coverage());
  });

  it('is refused with the key of another', async () => {
    const another = providerWith(lab.url, { api_key: P256_KEY });
    await expect(another.coverage()).rejects.toMatchObject({ code: 'rejected' });
  });

  it('reads both spellings, and accepts the older signatures', async () => {
    const other = providerWith(otherLab.url);
    expect(await other.coverage()).toEqual(await provider.coverage());
    const order = await place({}, other);
    await press('pay', order);
    await delivered(order, other);
    const { headers, rawBody } = await eventually(() => lastCallback(partner, order.paymentId));
    expect(headers['x-hook0-signature']).not.toContain('v0=');
    expect((await other.parseCallback(headers, rawBody)).paymentId).toBe(order.paymentId);
  });

  it('marks its orders in the sandbox', async () => {
    const inSandbox = providerWith(lab.url, { sandbox: true });
    const order = await place({}, inSandbox);
    await press('pay', order);
    await delivered(order, inSandbox);
    expect(await provider.status(order)).toEqual({ status: 'CREATED' });
    const { headers, rawBody } = await lastCallback(partner, order.paymentId);
    expect(rawBody.toString('utf8')).toContain(`"sandbox-${order.paymentId}"`);
    expect((await inSandbox.parseCallback(headers, rawBody)).paymentId).toBe(order.paymentId);
    expect((await provider.parseCallback(headers, rawBody)).paymentId).toBeNull();
  });

  it('delivers after a declined attempt', async () => {
    const order = await place();
    await press('decline', order);
    expect(await provider.status(order)).toEqual({
      status: 'AWAITING_PAYMENT',
      reason: 'FAILURE_REASON_BUY_FAILED',
    });
    await press('pay', order);
    await delivered(order);
  });

  it('finds the furthest of many attempts, on every page', async () => {
    const order = await place();
    await press('pay', order);
    await delivered(order);
    for (let attempt = 0; attempt < 26; attempt += 1) await press('decline', order);
    expect((await provider.status(order)).status).toBe('DELIVERED');
  });

  it('calls an attempt in a state that it does not know no failure', async () => {
    const order = await place();
    lab.faults.set(order.paymentId, { endsAs: 'ONRAMP_TRANSACTION_STATUS_FROZEN' });
    await press('pay', order);
    expect((await provider.status(order)).status).toBe('UNKNOWN');
  });

  it('reports what was told as delivered, which only the chain proves', async () => {
    const order = await place();
    lab.faults.set(order.paymentId, { toldAmount: 97.410_000_9 });
    await press('pay', order);
    await eventually(async () => {
      const { deliveredAmount } = await provider.status(order);
      expect(deliveredAmount).toBe(97_410_000n);
    });
  });

  it('ignores a purchase of much less', async () => {
    const order = await place();
    lab.faults.set(order.paymentId, { toldAmount: 2 });
    await press('pay', order);
    expect(await provider.status(order)).toEqual({ status: 'CREATED' });
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
      const { headers, rawBody } = await eventually(() => lastCallback(partner, order.paymentId));
      await expect(provider.parseCallback(headers, rawBody)).rejects.toMatchObject({
        code: 'bad_signature',
      });
    });
  });
});

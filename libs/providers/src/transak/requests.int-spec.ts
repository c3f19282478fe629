import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startCapturingServer, type CapturingServer } from '@bascule/testing';
import { placeOrder } from '../testing/customer.fixture.js';
import { sold, TransakStage, USER_IP, WALLET } from './testing.fixture.js';

const PAYMENT_ID = '019ad5c0-0000-7000-8000-000000000002';
const customer = {
  id: 'customer-1',
  ipAddress: USER_IP,
  geolocation: { alpha3_country_code: 'USA', state_code: '' },
} as const;

describe('requests to Transak', () => {
  let stage: TransakStage;
  let proxy: CapturingServer;
  beforeAll(async () => {
    stage = await TransakStage.start();
    proxy = await startCapturingServer(async ({ method, path, headers, body }) => {
      const names = ['access-token', 'x-api-key', 'x-user-ip', 'content-type'];
      const sent = names.flatMap((name): [string, string][] => {
        const value = headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      });
      const response = await fetch(`${stage.lab.url}${path}`, {
        method,
        headers: sent,
        ...(method === 'POST' && { body }),
      });
      const text = (await response.text()).replaceAll(proxy.url, stage.lab.url);
      return { status: response.status, body: text };
    });
  });
  afterAll(async () => {
    await proxy.stop();
    await stage.stop();
  });

  it('ask for a price in the country of the customer, where it is known', async () => {
    const provider = stage.provider({ base_url: proxy.url });
    await provider.quote({ ...sold, customer });
    await provider.quote({ ...sold, customer: {} });
    const countries = proxy.requests
      .filter(({ path }) => path.startsWith('/api/v1/pricing/public/quotes?'))
      .map(({ path }) => new URL(path, proxy.url).searchParams.get('quoteCountryCode'));
    expect(countries).toEqual(['US', null]);
  });

  it('fix the terms of a page, and tell the customer and the way back', async () => {
    const provider = stage.provider({ gateway_url: proxy.url });
    const redirectUrl = 'https://pay.example.com/return';
    const terms = { paymentId: PAYMENT_ID, depositAddress: WALLET, redirectUrl, customer };
    await placeOrder(provider, sold, terms);
    const session = proxy.requests.find(({ path }) => path === '/api/v2/auth/session');
    expect(session?.headers).toMatchObject({
      'access-token': stage.lab.accessTokens.signingKey,
      'x-api-key': 'api-key-of-the-lab',
      'x-user-ip': USER_IP,
    });
    expect(JSON.parse(session?.body.toString('utf8') ?? '')).toEqual({
      widgetParams: {
        apiKey: 'api-key-of-the-lab',
        referrerDomain: 'pay.example.com',
        productsAvailed: 'BUY',
        cryptoCurrencyCode: 'USDC',
        network: 'alphanet',
        walletAddress: WALLET,
        disableWalletAddressForm: true,
        fiatCurrency: 'USD',
        fiatAmount: '100',
        paymentMethod: 'credit_debit_card',
        partnerOrderId: PAYMENT_ID,
        partnerCustomerId: 'customer-1',
        redirectURL: redirectUrl,
        countryCode: 'US',
      },
    });
  });
});

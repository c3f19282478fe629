import { createSecretKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { MockAgent } from 'undici';
import { SandboxProvider } from './sandbox-provider.js';

const USDC = '0x00000000000000000000000000000000000000c1';
const DEPOSIT = '0x00000000000000000000000000000000000000d1';
const request = {
  fiat: 'usd',
  fiatAmount: '100',
  token: `alphanet:${USDC}`,
  tokenDecimals: 6,
  method: 'CREDIT_CARD',
} as const;
const quoted = {
  id: 'quote-1',
  fiat: 'USD',
  fiat_amount: '100.00',
  payment_method: 'credit_card',
  network: 'alphanet',
  contract: USDC,
  crypto_amount: '95.5',
  fees: { total: '4.5' },
  limits: { min: '5', max: '3000' },
  delivery_seconds: 5,
};
const order = {
  id: 'order-1',
  partner_order_id: 'payment-1',
  status: 'completed',
  fiat: 'USD',
  fiat_amount: '100.00',
  payment_method: 'credit_card',
  network: 'alphanet',
  contract: USDC,
  wallet_address: DEPOSIT,
  delivered_amount: '95.5',
};
const reference = {
  paymentId: 'payment-1',
  checkoutId: 'order-1',
  token: request.token,
  tokenDecimals: 6,
  depositAddress: DEPOSIT,
};

function providerThatAnswers(status: number, body: unknown): SandboxProvider {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get('http://provider.test')
    .intercept({ path: () => true, method: () => true })
    .reply(status, JSON.stringify(body));
  const config = {
    name: 'swiftramp',
    adapter: 'sandbox' as const,
    baseUrl: 'http://provider.test/swiftramp',
    apiKey: 'key',
  };
  return new SandboxProvider(config, {
    callbackKey: createSecretKey(Buffer.from('secret')),
    dispatcher: agent,
  });
}

describe('a response of the sandbox', () => {
  it('becomes a quote in smallest units', async () => {
    const quote = await providerThatAnswers(200, quoted).quote(request);
    expect(quote).toMatchObject({ deliveryAmount: 95_500_000n, fees: { total: '4.5' } });
  });

  it.each([
    ['another amount', { fiat_amount: '10' }],
    ['another currency', { fiat: 'EUR' }],
    ['another payment method', { payment_method: 'ach' }],
    ['another network', { network: 'betanet' }],
    ['another token', { contract: DEPOSIT }],
    ['an amount of zero', { crypto_amount: '0' }],
    ['fees as high as the amount', { fees: { total: '100' } }],
  ])('is refused when it quotes %s', async (_what, changed) => {
    const provider = providerThatAnswers(200, { ...quoted, ...changed });
    await expect(provider.quote(request)).rejects.toMatchObject({ code: 'mismatch' });
  });

  it.each([
    ['a number for an amount', { crypto_amount: 95.5 }],
    ['more decimals than the token has', { crypto_amount: '95.5000001' }],
    ['a negative amount', { crypto_amount: '-95.5' }],
    ['no limits', { limits: null }],
    ['an identifier of 100,000 characters', { id: 'x'.repeat(100_000) }],
    ['a NUL in its identifier', { id: 'quote\0' }],
  ])('is unreadable with %s', async (_what, changed) => {
    const provider = providerThatAnswers(200, { ...quoted, ...changed });
    await expect(provider.quote(request)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it.each([
    ['completed', 'DELIVERED'],
    ['sending', 'PROCESSING'],
    ['declined', 'FAILED'],
    ['under_review', 'UNKNOWN'],
    ['constructor', 'UNKNOWN'],
  ])('maps status %s to %s', async (status, expected) => {
    const provider = providerThatAnswers(200, { order: { ...order, status } });
    expect((await provider.status(reference)).status).toBe(expected);
  });

  it.each(['+275760-09-13T00:00:00.000Z', '-004714-01-01T00:00:00.000Z', '1999-12-31T00:00:00Z'])(
    'is unreadable when it was paid at %s',
    async (paid_at) => {
      const provider = providerThatAnswers(200, { order: { ...order, paid_at } });
      await expect(provider.status(reference)).rejects.toMatchObject({ code: 'unavailable' });
    },
  );

  it('has the beginning of an endless reason of a failure, as well-formed text', async () => {
    const failure_reason = `a\0b\n${'x'.repeat(195)}\u{1F600}${'x'.repeat(100_000)}`;
    const answer = { order: { ...order, status: 'declined', failure_reason } };
    const { reason } = await providerThatAnswers(200, answer).status(reference);
    expect(reason).toBe(`a b ${'x'.repeat(195)}\uFFFD`);
  });

  it('is refused when the checkout is for another address', async () => {
    const answer = {
      order: { ...order, wallet_address: USDC },
      checkout_url: 'http://provider.test/checkout/order-1',
      expires_at: '2026-11-21T12:00:00Z',
    };
    const checkout = providerThatAnswers(201, answer).createCheckout({
      ...request,
      ...reference,
      providerQuoteId: 'quote-1',
    });
    await expect(checkout).rejects.toMatchObject({ code: 'mismatch' });
  });

  it.each([
    ['kyc_required', 'rejected', { kind: 'kyc', provider_id: 'swiftramp' }],
    ['location_refused', 'rejected', { kind: 'geolocation' }],
    ['destination_refused', 'rejected', { kind: 'destination' }],
    ['unsupported_payment_method', 'unsupported', { kind: 'payin_method' }],
    ['customer_refused', 'rejected', { kind: 'provider' }],
    ['anything_else', 'rejected', { kind: 'provider' }],
  ])('maps the refusal %s to its issue', async (code, expected, issue) => {
    const provider = providerThatAnswers(403, { error: { code, message: 'no'.repeat(500) } });
    const refused = provider.quote(request);
    await expect(refused).rejects.toMatchObject({ code: expected, retryable: false });
    const message = `swiftramp: ${'no'.repeat(100)}`;
    await expect(refused).rejects.toMatchObject({ issues: [{ ...issue, message }] });
  });

  describe('coverage of the sandbox', () => {
    const coverage = {
      fiats: [{ code: 'USD', payment_methods: [{ id: 'ach', min: '5', max: '100' }] }],
      assets: [{ network: 'alphanet', contract: USDC }],
    };

    it('lists places for the provider and for its parts', async () => {
      const method = { id: 'ach', min: '5', max: '100', places: { only: ['USA'] } };
      const answer = {
        places: { only: ['USA', 'DEU'], except: ['USA-NY'] },
        fiats: [{ code: 'USD', payment_methods: [method] }],
        assets: [{ network: 'alphanet', contract: USDC, places: { except: ['CAN', 'DEU-BY'] } }],
      };
      expect(await providerThatAnswers(200, answer).coverage()).toEqual({
        places: { only: ['USA', 'DEU'], except: ['USA-NY'] },
        fiats: [
          {
            code: 'usd',
            methods: [{ method: 'ACH', min: '5', max: '100', places: { only: ['USA'] } }],
          },
        ],
        tokens: [{ token: request.token, places: { except: ['CAN', 'DEU-BY'] } }],
      });
    });

    it('omits places when there is no restriction', async () => {
      expect(await providerThatAnswers(200, coverage).coverage()).toEqual({
        fiats: [{ code: 'usd', methods: [{ method: 'ACH', min: '5', max: '100' }] }],
        tokens: [{ token: request.token }],
      });
    });

    it.each([
      ['the name of a country', { only: ['Germany'] }],
      ['two letters', { except: ['DE'] }],
      ['no list', { only: 'USA' }],
      ['an empty name', { only: [''] }],
      ['no object', ['USA']],
    ])('is unreadable when a place is %s', async (_what, places) => {
      const provider = providerThatAnswers(200, { ...coverage, places });
      await expect(provider.coverage()).rejects.toMatchObject({ code: 'unavailable' });
    });
  });
});

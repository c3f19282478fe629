import {
  tokenIdentifier,
  type Payment,
  type PaymentHistory,
  type QuotesResponse,
  type TokenIdentifier,
} from '@bascule/contracts';
import type { StackFile } from '@bascule/composition';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Api } from '../../tools/first-payment/api.js';
import { apiOf } from './testing/operators.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const DESTINATION = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const UNKNOWN = '01932b3c-5d6e-7f80-9a1b-2c3d4e5f6071';

let stack: StackProcess;
let file: StackFile;
let tokens: Record<'usdc' | 'weth' | 'usdcBeta' | 'native' | 'nativeBeta', TokenIdentifier>;

beforeAll(async () => {
  stack = await StackProcess.create('contract');
  file = await stack.start();
  const token = (chain: string, symbol: string): TokenIdentifier =>
    tokenIdentifier(chain, file.chains[chain]?.tokens[symbol] ?? '');
  tokens = {
    usdc: token('alphanet', 'USDC'),
    weth: token('alphanet', 'WETH'),
    usdcBeta: token('betanet', 'USDC'),
    native: 'alphanet:0x',
    nativeBeta: 'betanet:0x',
  };
  const ready = apiOf(stack, file.keys.secret);
  await eventually(async () => {
    const request = fixedInput('usd', '100', tokens.usdcBeta);
    const { quotes } = await ready.post<QuotesResponse>('/payments/quotes', { request });
    expect(quotes.length).toBeGreaterThan(0);
  });
});

afterAll(() => stack.dispose());

const secret = (): Api => apiOf(stack, file.keys.secret);
const page = (): Api => apiOf(stack, file.keys.publishable);

/** Requests accept any letter case of the address, not of the chain. */
const upperCase = (token: string): string =>
  token.replace(/[a-f0-9]{40}$/, (address) => address.toUpperCase());

/** Whether an answer about a payment shows the customer that the quote request named. */
const hasCustomer = (payment: unknown): boolean =>
  /customer_id|"tags"|customer_ip_address|81\.2\.69/.test(JSON.stringify(payment));

const fixedInput = (asset: string, amount: string, output_asset: string) => ({
  kind: 'FIXED_INPUT',
  fixed_input_amount: { asset, amount },
  output_asset,
});

const fixedOutput = (input_asset: string, amount: string, asset: string) => ({
  kind: 'FIXED_OUTPUT',
  fixed_output_amount: { asset, amount },
  input_asset,
});

/** Each request goes out with a secret and a publishable key; the client checks the answers. */
async function expectAnswers(method: string, path: string, body?: unknown): Promise<number[]> {
  const options = body === undefined ? {} : { body };
  const answers = [];
  const broken: string[] = [];
  for (const api of [secret(), page()]) {
    try {
      answers.push((await api.request(method, path, options)).status);
    } catch (error) {
      broken.push(String(error));
    }
  }
  expect([...new Set(broken)]).toEqual([]);
  return answers;
}

describe('discovery', () => {
  it.each([
    ['/assets', [200, 200]],
    ['/assets?sandbox=true', [200, 200]],
    ['/assets?sandbox=false', [200, 200]],
    ['/assets?assets[]=USD&assets[]=alphanet:0x', [200, 200]],
    ['/assets?assets[]=nowhere:0x', [400, 400]],
    ['/chains?sandbox=0', [200, 200]],
    ['/chains?sandbox=1', [200, 200]],
    [
      '/assets/available-outputs?inputs[]=USD&inputs[]=alphanet:0x&outputs[]=betanet:0x',
      [200, 200],
    ],
    ['/assets/available-outputs?inputs[]=usd&onramps[]=nobody', [400, 400]],
    ['/assets/available-outputs?inputs[]=usd&features[]=BETA_EDGES', [200, 200]],
    ['/assets/available-outputs?inputs[]=usd&features[]=ALPHA_EDGES', [400, 400]],
    ['/assets/available-outputs?inputs[]=xyz', [400, 400]],
    ['/assets/available-inputs?outputs[]=alphanet:0x', [200, 200]],
    ['/assets/available-inputs?outputs[]=usd', [200, 200]],
    ['/assets/available-inputs?outputs[]=alphanet:0x&inputs[]=EUR&inputs[]=usd', [200, 200]],
    ['/geolocation', [200, 200]],
    ['/geolocation?customer_ip_address=10.0.0.1', [200, 200]],
    ['/geolocation?customer_ip_address=2001:4860:4860::8888', [200, 200]],
    ['/geolocation?customer_ip_address=8.8.8.8', [200, 200]],
    ['/geolocation?customer_ip_address=', [400, 400]],
    ['/payments/methods?input=USD&output=alphanet:0x', [200, 200]],
    ['/payments/methods?input=EUR&output=alphanet:0x&customer_ip_address=8.8.8.8', [200, 200]],
    ['/payments/methods?input=usd&output=eur', [200, 200]],
    ['/payments/methods', [400, 400]],
    ['/orgs/keys/self', [200, 200]],
    ['/payments/methods?input=alphanet:0x&output=usd', [400, 400]],
  ])('is answered by the contract, to both keys: GET %s', async (path, expected) => {
    expect(await expectAnswers('GET', path)).toEqual(expected);
  });

  it.each([
    ['dollars', () => ({ fiat: 'usd', tokens: [tokens.usdc, tokens.native] }), 200],
    ['euros', () => ({ fiat: 'EUR', tokens: [upperCase(tokens.usdc)] }), 200],
    ['yen', () => ({ fiat: 'jpy', tokens: [tokens.weth] }), 200],
    ['no tokens', () => ({ fiat: 'gbp', tokens: [] }), 200],
    ['an unknown token', () => ({ fiat: 'usd', tokens: [`alphanet:${OWNER}`] }), 200],
    ['an unknown fiat', () => ({ fiat: 'xyz', tokens: [tokens.usdc] }), 400],
    ['wrong types', () => ({ fiat: 5, tokens: 'usdc' }), 400],
    ['a list', () => [], 400],
    ['nothing', () => undefined, 400],
    ['malformed JSON', () => '{"fiat":', 400],
    ['too much', () => ({ fiat: 'usd', tokens: [], more: 'x'.repeat(300_000) }), 413],
  ])('prices of %s', async (_, body, status) => {
    expect(await expectAnswers('POST', '/prices', body())).toEqual([status, status]);
  });

  it('refuses other methods', async () => {
    for (const path of [
      '/assets',
      '/chains',
      '/geolocation',
      '/payments/methods',
      '/orgs/keys/self',
    ]) {
      expect(await expectAnswers('POST', path, {})).toEqual([405, 405]);
    }
    expect(await expectAnswers('GET', '/prices')).toEqual([405, 405]);
    expect(await expectAnswers('PUT', '/payments', {})).toEqual([405, 405]);
    expect(await expectAnswers('HEAD', '/chains')).toEqual([200, 200]);
  });
});

const QUOTES: [
  name: string,
  body: () => object,
  statuses: [secret: number, publishable: number],
][] = [
  ['dollars', () => ({ request: fixedInput('USD', '100', tokens.usdc) }), [200, 200]],
  ['euros across', () => ({ request: fixedInput('EUR', '100.50', tokens.usdcBeta) }), [200, 200]],
  [
    'in euros',
    () => ({ request: fixedInput('usd', '100', tokens.weth), price_currency: 'EUR' }),
    [200, 200],
  ],
  [
    'in yen',
    () => ({ request: fixedInput('usd', '100', tokens.weth), price_currency: 'jpy' }),
    [200, 200],
  ],
  [
    'in dong',
    () => ({ request: fixedInput('usd', '100', tokens.weth), price_currency: 'vnd' }),
    [400, 400],
  ],
  ['yen', () => ({ request: fixedInput('jpy', '15000', tokens.usdc) }), [200, 200]],
  ['a swap', () => ({ request: fixedInput(tokens.usdc, '100.0000000', tokens.weth) }), [200, 200]],
  ['a swap back', () => ({ request: fixedInput(tokens.weth, '0.05', tokens.usdc) }), [200, 200]],
  [
    'native across',
    () => ({ request: fixedInput(tokens.native, '0.05', tokens.nativeBeta) }),
    [200, 200],
  ],
  ['a crossing', () => ({ request: fixedInput(tokens.usdc, '100', tokens.usdcBeta) }), [200, 200]],
  [
    'convert and cross',
    () => ({ request: fixedInput(tokens.weth, '0.05', tokens.usdcBeta) }),
    [200, 200],
  ],
  ['the same token', () => ({ request: fixedInput(tokens.usdc, '100', tokens.usdc) }), [200, 200]],
  [
    'in euros, across',
    () => ({ request: fixedInput(tokens.weth, '0.05', tokens.nativeBeta), price_currency: 'eur' }),
    [200, 200],
  ],
  ['much', () => ({ request: fixedInput('usd', '400', tokens.usdc) }), [200, 200]],
  [
    'very much',
    () => ({ request: fixedInput(tokens.usdc, '2000000', tokens.usdcBeta) }),
    [400, 400],
  ],
  ['far too much', () => ({ request: fixedInput('usd', '99999999', tokens.usdc) }), [400, 400]],
  ['too little', () => ({ request: fixedInput('usd', '0.01', tokens.usdc) }), [400, 400]],
  [
    'too few tokens',
    () => ({ request: fixedInput(tokens.usdc, '0.000001', tokens.usdcBeta) }),
    [400, 400],
  ],
  ['nothing', () => ({ request: fixedInput('usd', '0', tokens.usdc) }), [400, 400]],
  ['less than nothing', () => ({ request: fixedInput('usd', '-1', tokens.usdc) }), [400, 400]],
  [
    'too exact',
    () => ({ request: fixedInput(tokens.usdc, '1.00000001', tokens.weth) }),
    [400, 400],
  ],
  ['exact dollars', () => ({ request: fixedInput('usd', '100.001', tokens.weth) }), [400, 400]],
  ['a number', () => ({ request: fixedInput('usd', 100 as never, tokens.weth) }), [400, 400]],
  ['an offramp', () => ({ request: fixedInput(tokens.usdc, '100', 'usd') }), [200, 200]],
  ['fiat to fiat', () => ({ request: fixedInput('usd', '100', 'eur') }), [200, 200]],
  [
    'an unknown asset',
    () => ({ request: fixedInput('usd', '100', `alphanet:${OWNER}`) }),
    [400, 400],
  ],
  ['an unknown chain', () => ({ request: fixedInput('usd', '100', 'nowhere:0x') }), [400, 400]],
  ['a fixed output', () => ({ request: fixedOutput('usd', '100', tokens.usdc) }), [200, 200]],
  [
    'a fixed output of a swap',
    () => ({ request: fixedOutput(tokens.usdc, '0.05', tokens.weth) }),
    [200, 200],
  ],
  [
    'a fixed output across',
    () => ({ request: fixedOutput(tokens.weth, '100', tokens.usdcBeta) }),
    [200, 200],
  ],
  [
    'a fixed native output',
    () => ({ request: fixedOutput('EUR', '0.05', tokens.nativeBeta) }),
    [200, 200],
  ],
  [
    'a small fixed output',
    () => ({ request: fixedOutput('usd', '0.000001', tokens.usdc) }),
    [400, 400],
  ],
  [
    'a large fixed output',
    () => ({ request: fixedOutput('usd', '99999999', tokens.usdc) }),
    [400, 400],
  ],
  [
    'another kind',
    () => ({ request: { ...fixedInput('usd', '1', tokens.usdc), kind: 'FIXED' } }),
    [400, 400],
  ],
  ['no request', () => ({}), [400, 400]],
  ['an empty request', () => ({ request: {} }), [400, 400]],
  [
    'all options',
    () => ({
      request: { ...fixedInput('usd', '100', tokens.usdc), dest_address: DESTINATION },
      onramp_methods: ['CREDIT_CARD', 'SEPA'],
      customer_geolocation: { alpha3_country_code: 'GBR' },
      customer_ip_address: '81.2.69.142',
      customer_id: 'customer-1',
      label: 'an order',
      tags: ['one', 'two'],
      allow_unsafe_transfer_out: true,
      show_all_issues: true,
      allow_unsafe_slippage: true,
      use_intent_refund: true,
      features: ['BETA_EDGES', 'ORG_BETA_EDGES', 'ORG_EDGES'],
      more: 'ignored',
    }),
    [200, 200],
  ],
  [
    'all issues',
    () => ({ request: fixedInput('usd', '0.5', tokens.usdc), show_all_issues: true }),
    [400, 400],
  ],
  [
    'more than allowed',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), allow_exceed_max_input_limit: true }),
    [200, 403],
  ],
  [
    'nulls',
    () => ({
      request: fixedInput('usd', '100', tokens.usdc),
      label: null,
      customer_id: null,
      tags: null,
    }),
    [200, 200],
  ],
  [
    'an unknown onramp',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), onramps: ['Nobody'] }),
    [200, 200],
  ],
  [
    'one onramp',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), onramps: ['SwiftRamp'] }),
    [200, 200],
  ],
  [
    'a rare method',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), onramp_methods: ['UPI'] }),
    [200, 200],
  ],
  [
    'an unknown method',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), onramp_methods: ['CASH'] }),
    [400, 400],
  ],
  [
    'an embargoed place',
    () => ({
      request: fixedInput('usd', '100', tokens.usdc),
      customer_geolocation: { alpha3_country_code: 'PRK' },
    }),
    [200, 200],
  ],
  [
    'an unassigned country',
    () => ({
      request: fixedInput('usd', '100', tokens.usdc),
      customer_geolocation: { alpha3_country_code: 'XXX' },
    }),
    [400, 400],
  ],
  [
    'a wrong address of a customer',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), customer_ip_address: 'here' }),
    [400, 400],
  ],
  [
    'an unknown revenue share',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), rev_share_name: 'nobody' }),
    [400, 400],
  ],
  [
    'a hop',
    () => ({ request: fixedInput(tokens.usdc, '100', tokens.weth), hops: ['betanet'] }),
    [200, 200],
  ],
  [
    'an unknown hop',
    () => ({ request: fixedInput(tokens.usdc, '100', tokens.weth), hops: ['nowhere'] }),
    [400, 400],
  ],
  [
    'an unknown parent',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), parent_payment_id: UNKNOWN }),
    [404, 404],
  ],
  ['an unknown payment', () => ({ payment_id: UNKNOWN }), [404, 404]],
  [
    'a long label',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), label: 'x'.repeat(256) }),
    [400, 400],
  ],
  [
    'a token as price currency',
    () => ({ request: fixedInput('usd', '100', tokens.usdc), price_currency: tokens.usdc }),
    [400, 400],
  ],
  [
    'a refusing destination',
    () => ({
      request: { ...fixedInput('usd', '100', tokens.usdc), dest_address: tokens.usdc.slice(9) },
    }),
    [200, 200],
  ],
  [
    'a wrong destination',
    () => ({ request: { ...fixedInput('usd', '100', tokens.usdc), dest_address: '0x12' } }),
    [400, 400],
  ],
  [
    'custom actions',
    () => ({
      request: {
        ...fixedInput(tokens.usdc, '100', tokens.weth),
        dest_address: DESTINATION,
        custom_actions: {
          actions: [
            { type: 'CallImmediateAction', target: DESTINATION, value: '0', calldata: '0x' },
          ],
          user_estimated_gas: '50000',
        },
      },
    }),
    [200, 200],
  ],
  [
    'wrong custom actions',
    () => ({
      request: {
        ...fixedInput(tokens.usdc, '100', tokens.weth),
        dest_address: DESTINATION,
        custom_actions: { actions: [{ type: 'Call', target: '0x', value: '-1', calldata: '0x1' }] },
      },
    }),
    [400, 400],
  ],
];

describe('quotes', () => {
  it.each(QUOTES)('are answered by the contract for %s', async (_, body, statuses) => {
    expect(await expectAnswers('POST', '/payments/quotes', body())).toEqual(statuses);
  });
});

describe('confirm', () => {
  async function quote(api: Api, request: object, more: object = {}) {
    const { quotes, state_token } = await api.post<QuotesResponse>('/payments/quotes', {
      request,
      ...more,
    });
    return {
      payment_id: quotes[0]?.payment_id,
      state_token,
      owner_address: OWNER,
      destination_address: DESTINATION,
    };
  }

  it.each([
    ['dollars', () => fixedInput('usd', '100', tokens.usdc), {}],
    ['tokens', () => fixedInput(tokens.usdc, '100', tokens.usdcBeta), {}],
    ['native', () => fixedInput(tokens.native, '0.05', tokens.usdc), {}],
    ['a fixed output', () => fixedOutput(tokens.usdc, '0.05', tokens.weth), {}],
    ['much', () => fixedInput('usd', '900', tokens.usdc), {}],
    [
      'with a simulation',
      () => fixedInput(tokens.usdc, '100', tokens.usdcBeta),
      { simulate_withdrawal: true },
    ],
    [
      'options',
      () => fixedInput(tokens.usdc, '100', tokens.weth),
      {
        client_redirect_url: 'https://shop.example/done?a=1',
        client_redirect_after: 'FUNDED',
        owner_chain: 'betanet',
        payment_expiration_minutes: 60,
        allow_unsafe_owner: true,
      },
    ],
  ])('answers a confirm of %s, and its repetition, by the contract', async (_, request, more) => {
    for (const api of [secret, page]) {
      const body = {
        ...(await quote(api(), request(), {
          label: 'an order',
          customer_id: 'c1',
          price_currency: 'EUR',
          tags: ['x'],
          customer_ip_address: '81.2.69.142',
        })),
        ...more,
      };
      const first = await api().request('POST', '/payments/confirm', { body });
      const second = await api().request('POST', '/payments/confirm', { body });
      // An unverified payment is not stored, so it can be confirmed again.
      const isStored = (first.body as Payment).status === 'PENDING';
      expect([first.status, second.status]).toEqual([200, isStored ? 409 : 200]);
      const path = `/payments?payment_id=${body.payment_id ?? ''}`;
      for (const reader of [secret, page]) {
        const { body: read } = await reader().request('GET', `${path}&price_currency=GBP`);
        expect(isStored && hasCustomer(read)).toBe(isStored && reader === secret);
      }
      expect(hasCustomer(first.body)).toBe(api === secret);
      await secret().request('GET', `${path}&enable_withdraw_pending=1`);
    }
  });

  it('pages through the history of an owner with both keys', async () => {
    const owner_address = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
    const stored: string[] = [];
    for (const api of [secret(), page(), secret()]) {
      const body = await quote(api, fixedInput(tokens.usdc, '100', tokens.weth), {
        customer_id: 'c1',
        tags: ['x'],
        customer_ip_address: '81.2.69.142',
      });
      const { payment_id } = await api.post<Payment>('/payments/confirm', {
        ...body,
        owner_address,
      });
      stored.unshift(payment_id);
    }
    for (const isSecret of [true, false]) {
      const api = isSecret ? secret() : page();
      const found: Payment[] = [];
      const query = {
        owner_address: owner_address.toLowerCase(),
        limit: '2',
        price_currency: 'EUR',
      };
      const list = (more: object) =>
        api.get<PaymentHistory>('/payments/history', { ...query, ...more });
      let { payment_statuses, next_pagination_key } = await list({});
      found.push(...payment_statuses);
      expect(next_pagination_key).toMatch(/^[0-9a-f-]{36}_\S+Z$/);
      ({ payment_statuses, next_pagination_key } = await list({
        pagination_key: next_pagination_key,
      }));
      found.push(...payment_statuses);
      expect(next_pagination_key).toBeNull();
      expect(found.map(({ payment_id }) => payment_id)).toEqual(stored);
      for (const payment of found) {
        expect(
          await api.get('/payments', { payment_id: payment.payment_id, price_currency: 'eur' }),
        ).toEqual(payment);
      }
      expect(found.map(hasCustomer)).toEqual(found.map(() => isSecret));
      const elsewhere = await list({ dest_address: OWNER });
      expect(elsewhere).toEqual({ payment_statuses: [], next_pagination_key: null });
    }
  });

  it.each([
    ['', [200, 400]],
    [`?owner_address=${OWNER}`, [200, 200]],
    [`?owner_address=${OWNER}&category=ALL&label=an%20order&limit=500`, [200, 200]],
    [`?owner_address=${OWNER}&id_query=${UNKNOWN}&dest_address=${DESTINATION}`, [200, 200]],
    [`?owner_address=${OWNER}&enable_withdraw_pending=1`, [200, 200]],
    [`?owner_address=${OWNER}&limit=0`, [400, 400]],
    [`?owner_address=${OWNER}&limit=501`, [400, 400]],
    [`?owner_address=${OWNER}&category=NEW`, [400, 400]],
    [`?owner_address=${OWNER}&pagination_key=x`, [400, 400]],
    [`?owner_address=${OWNER}&price_currency=xyz`, [400, 400]],
    ['?owner_address=0x12', [400, 400]],
  ])('lists the history of %s', async (query, statuses) => {
    expect(await expectAnswers('GET', `/payments/history${query}`)).toEqual(statuses);
  });

  it('refuses what is wrong', async () => {
    const good = await quote(secret(), fixedInput(tokens.usdc, '100', tokens.weth));
    const bodies: unknown[] = [
      undefined,
      {},
      [],
      '{',
      { ...good, state_token: 'x' },
      { ...good, state_token: `${good.state_token}x` },
      { ...good, payment_id: UNKNOWN },
      { ...good, payment_id: 'x' },
      { ...good, owner_address: '0x12' },
      { ...good, owner_address: tokens.usdc.slice(9) },
      { ...good, destination_address: tokens.usdc.slice(9) },
      { ...good, destination_address: `0x${'0'.repeat(40)}` },
      { ...good, owner_chain: 'nowhere' },
      { ...good, client_redirect_url: 'javascript:alert(1)' },
      { ...good, client_redirect_after: 'LATER' },
      { ...good, client_redirect_after: 'FUNDED' },
      { ...good, payment_expiration_minutes: 61 },
      { ...good, payment_expiration_minutes: 'x' },
      { verification_token: 'x', signatures: [] },
      { verification_token: 'x', signatures: [{ reason: 'EVM_OWNER', signature: '0x' }] },
      { verification_token: 5, signatures: 'x' },
    ];
    for (const body of bodies) {
      const options = body === undefined ? {} : { body };
      const { status } = await secret().request('POST', '/payments/confirm', options);
      expect([400, 401, 404]).toContain(status);
    }
  });

  it.each([
    ['', 400],
    ['?payment_id=', 400],
    ['?payment_id=x', 400],
    [`?payment_id=${UNKNOWN}`, 404],
    [`?payment_id=${UNKNOWN}&enable_withdraw_pending=x`, 400],
    [`?payment_id=${UNKNOWN}&payment_id=${UNKNOWN}`, 400],
  ])('refuses to read %s', async (query, status) => {
    expect(await expectAnswers('GET', `/payments${query}`)).toEqual([status, status]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { v7 as uuidv7 } from 'uuid';
import type { Payment, PaymentMethodsResponse, QuotesResponse } from '@bascule/contracts';
import type { Answer, Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import {
  confirmBody,
  quote,
  quoteAndConfirm,
  trustedDepositAddress,
} from '../../tools/first-payment/payments.js';
import type { ConfirmedPayment } from '../../tools/first-payment/payments.js';
import type { StackFile } from '@bascule/composition';
import { apiOf, newOrganisation, type OrganisationKeys } from './testing/operators.fixture.js';
import { visit } from './testing/visitor.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import { fetchOutsideApi } from '../testing/outside-api.fixture.js';
import { depositTo } from './testing/deposit-to.fixture.js';

const EDGE_RULES = [
  { name: 'apple', ramp: { provider: 'swiftramp', method: 'APPLE_PAY' } },
  { name: 'debit', ramp: { provider: 'swiftramp', method: 'DEBIT_CARD' }, beta: true },
];
const PATIENCE = { timeoutMs: 30_000 };
const FEATURES = ['BETA_EDGES', 'ORG_BETA_EDGES', 'ORG_EDGES'];

let stack: StackProcess;
let file: StackFile;
let ours: Api;
let other: OrganisationKeys;
let paymentId: string;

beforeAll(async () => {
  stack = await StackProcess.create('access');
  file = await stack.start({
    EDGE_RULES: JSON.stringify(EDGE_RULES),
    // No window of a rate limit ends during the tests.
    RATE_LIMIT_WINDOW_SECONDS: '3600',
  });
  ours = apiOf(stack, file.keys.secret);
  other = await newOrganisation(stack);
  const chain = new Chain(file, 'alphanet');
  const { owner, destination } = newTestUser();
  const { payment } = await quoteAndConfirm(ours, {
    input: { asset: chain.token('USDC'), amount: '25' },
    output: chain.token('WETH'),
    owner: owner.address,
    destination,
  });
  paymentId = payment.payment_id;
});

afterAll(() => stack.dispose());

const expectIssue = ({ status, body }: Answer, expected: number) => {
  expect({ status, body }).toEqual({
    status: expected,
    body: { errors: [{ kind: 'other', message: expect.any(String) }] },
  });
};

/** Restricted methods that discovery and quotes both offer with the features. */
async function restrictedMethods(api: Api, ...features: string[]): Promise<string[]> {
  const usdc = new Chain(file, 'alphanet').token('USDC');
  const query = features.map((feature) => `&features[]=${feature}`).join('');
  const { providers } = await api.get<PaymentMethodsResponse>(
    `/payments/methods?input=usd&output=${usdc}${query}`,
  );
  const { quotes } = await api.post<QuotesResponse>('/payments/quotes', {
    request: {
      kind: 'FIXED_INPUT',
      fixed_input_amount: { asset: 'usd', amount: '100' },
      output_asset: usdc,
    },
    onramps: ['swiftramp'],
    features,
  });
  const quoted = quotes.map(({ onramp_method }) => onramp_method);
  const offered = providers['swiftramp'] ?? [];
  expect(quoted.sort()).toEqual([...offered].sort());
  return offered.filter((method) => method !== 'CREDIT_CARD').sort();
}

describe('a prohibited country', () => {
  it('has no quotes and no confirmations from the operator’s command on, until it is permitted', async () => {
    const { owner, destination } = newTestUser();
    const chain = new Chain(file, 'alphanet');
    const quoteIn = (alpha3_country_code: string) =>
      ours.post<QuotesResponse>('/payments/quotes', {
        request: {
          kind: 'FIXED_INPUT',
          fixed_input_amount: { asset: chain.token('USDC'), amount: '25' },
          output_asset: chain.token('WETH'),
        },
        customer_geolocation: { alpha3_country_code },
      });
    const fault = { kind: 'geolocation', message: expect.stringContaining('FRA') };
    const before = await quoteIn('FRA');
    expect(before.quotes).toHaveLength(1);

    await stack.operator('countries', 'prohibit', '--places', 'FRA');
    await eventually(
      async () => expect(await quoteIn('FRA')).toMatchObject({ quotes: [], fault }),
      PATIENCE,
    );
    const confirmed = async (more: object) => {
      const { status, body } = await ours.request('POST', '/payments/confirm', {
        body: {
          payment_id: before.quotes[0]?.payment_id,
          state_token: before.state_token,
          owner_address: owner.address,
          destination_address: destination,
          ...more,
        },
      });
      return { status, body };
    };
    const refused = { status: 400, body: { errors: [fault] } };
    // Asks for a signature and stores nothing, so it can be repeated until the payment service knows the rule, too.
    const undecided = { simulate_withdrawal: true };
    await eventually(async () => expect(await confirmed(undecided)).toEqual(refused), PATIENCE);
    expect(await confirmed({})).toEqual(refused);
    expect((await quoteIn('DEU')).quotes).toHaveLength(1);

    await stack.operator('countries', 'permit', '--places', 'FRA');
    await eventually(async () => expect((await quoteIn('FRA')).quotes).toHaveLength(1), PATIENCE);
    const [prohibited] = (await stack.operator('countries', 'list')).split('\n');
    expect(prohibited).toMatch(/^prohibited {2}CUB, IRN/);
    expect(prohibited).not.toContain('FRA');
  });
});

describe('a restricted edge', () => {
  it('is open by its feature, and for an organisation by a command of the operator', async () => {
    const theirs = apiOf(stack, other.secret);
    const edges = (verb: string, name: string) =>
      stack.operator('edges', verb, '--organisation', file.organisation_id, '--edge', name);
    const uses = (...features: string[]) => restrictedMethods(ours, ...features);
    expect(await uses()).toEqual([]);
    expect(await uses('BETA_EDGES')).toEqual(['DEBIT_CARD']);
    expect(await uses('ORG_BETA_EDGES', 'ORG_EDGES')).toEqual([]);

    await edges('open', 'apple');
    await edges('open', 'debit');
    await eventually(async () => {
      const opened = await uses('ORG_BETA_EDGES', 'ORG_EDGES');
      expect(opened).toEqual(['APPLE_PAY', 'DEBIT_CARD']);
    }, PATIENCE);
    expect(await uses('ORG_EDGES')).toEqual(['APPLE_PAY']);
    expect(await uses('ORG_BETA_EDGES')).toEqual(['DEBIT_CARD']);
    expect(await uses()).toEqual([]);
    expect(await restrictedMethods(theirs, ...FEATURES)).toEqual(['DEBIT_CARD']);

    await edges('close', 'apple');
    await eventually(async () => expect(await uses('ORG_EDGES')).toEqual([]), PATIENCE);
    const open = await stack.operator('edges', 'list', '--organisation', file.organisation_id);
    expect(open).toBe('debit\n');
  });
});

const ENDPOINTS: [string, string][] = [
  ['GET', '/assets'],
  ['GET', '/chains'],
  ['POST', '/prices'],
  ['GET', '/geolocation'],
  ['GET', '/assets/available-outputs'],
  ['GET', '/assets/available-inputs'],
  ['GET', '/payments/methods'],
  ['POST', '/payments/quotes'],
  ['POST', '/payments/confirm'],
  ['GET', '/payments'],
  ['GET', '/payments/history'],
  ['GET', '/payments/timeline'],
  ['POST', '/payments/issues'],
  ['POST', '/payments/balances'],
  ['POST', '/payments/withdraw'],
  ['POST', '/payments/withdraw/confirm'],
  ['GET', '/payments/withdraw/status'],
  ['GET', '/orgs/keys/self'],
  ['POST', '/orgs/webhooks'],
  ['GET', '/orgs/webhooks'],
  ['PATCH', '/orgs/webhooks'],
  ['DELETE', '/orgs/webhooks'],
  ['POST', '/orgs/webhooks/rotate-secret'],
];

describe('the quotas of an organisation', () => {
  it('refuse what exceeds them, with what to wait for, and let other organisations go on', async () => {
    const { secret, organisationId } = await newOrganisation(stack);
    const api = apiOf(stack, secret);
    const chain = new Chain(file, 'alphanet');
    const usdc = chain.token('USDC');
    const { owner, destination } = newTestUser();
    const request = {
      input: { asset: usdc, amount: '25' },
      output: chain.token('WETH'),
      owner: owner.address,
      destination,
    };
    const limit = (...flags: string[]) =>
      stack.operator('quotas', 'set', '--organisation', organisationId, ...flags);
    const refused = (what: string): Partial<Answer> => ({
      status: 429,
      body: {
        errors: [
          {
            kind: 'other',
            message: expect.stringContaining(`used up its quota of 1 ${what}. Try again when `),
          },
        ],
      },
    });
    await limit('--unfunded-payments', '1', '--unsigned-withdrawals', '1');
    const accepted: Pick<ConfirmedPayment, 'payment' | 'depositAddress'>[] = [];
    // Accepts the first payment and, until the quota is in effect, payments beyond it.
    const { headers: unfunded, body: confirmation } = await eventually(async () => {
      const { quotes, state_token } = await quote(api, request);
      const body = confirmBody(request, quotes[0]?.payment_id ?? '', state_token);
      const answer = await api.request('POST', '/payments/confirm', { body });
      if (answer.status === 200) {
        const payment = answer.body as Payment;
        accepted.push({ payment, depositAddress: trustedDepositAddress(request, payment) });
      }
      expect({ status: answer.status, body: answer.body }).toEqual(refused('unfunded payments'));
      return { headers: answer.headers, body };
    }, PATIENCE);
    expect(Number(unfunded.get('retry-after'))).toBeGreaterThan(1);
    await quoteAndConfirm(ours, request);
    for (const { depositAddress } of accepted) {
      await depositTo(chain, depositAddress, '20');
    }
    await eventually(async () => {
      const { status } = await api.request('POST', '/payments/confirm', { body: confirmation });
      expect(status).toBe(200);
    }, PATIENCE);

    const withdraw = () =>
      api.request('POST', '/payments/withdraw', {
        body: {
          payment_id: accepted[0]?.payment.payment_id,
          token_amounts: [{ token: usdc, amount: '20' }],
          recipient_address: owner.address,
        },
      });
    const unsigned = await eventually(async () => {
      const { status, body, headers } = await withdraw();
      expect({ status, body }).toEqual(refused('unsigned withdrawals'));
      return headers;
    }, PATIENCE);
    expect(Number(unsigned.get('retry-after'))).toBeGreaterThan(1);

    await limit('--quotes-per-second', '1');
    await eventually(async () => {
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => api.request('POST', '/payments/quotes', { body: {} })),
      );
      const { status, body, headers } = answers.find((answer) => answer.status === 429) ?? {};
      expect({ status, body }).toEqual(refused('quotes per second'));
      expect(headers?.get('retry-after')).toBe('1');
    }, PATIENCE);
  });
});

describe('a visitor with the publishable key', () => {
  it('fills its share of the unfunded payments, and locks out neither others nor the secret key', async () => {
    const { organisationId, publishable, secret } = await newOrganisation(stack);
    const api = apiOf(stack, secret);
    const chain = new Chain(file, 'alphanet');
    const { owner, destination } = newTestUser();
    const request = {
      input: { asset: chain.token('USDC'), amount: '25' },
      output: chain.token('WETH'),
      owner: owner.address,
      destination,
    };
    const confirmation = async () => {
      const { quotes, state_token } = await quote(api, request);
      return confirmBody(request, quotes[0]?.payment_id ?? '', state_token);
    };
    const confirmFrom = async (address: `127.0.0.${number}`) =>
      visit(
        stack,
        publishable,
        address,
        { 'x-visitor': `visitor ${uuidv7()}` },
        {
          ...{ path: '/payments/confirm', body: await confirmation() },
        },
      );
    await stack.operator(
      ...['quotas', 'set', '--organisation', organisationId, '--unfunded-payments', '100'],
    );
    const refused = await eventually(async () => {
      const answer = await confirmFrom('127.0.0.1');
      expect(answer.status).toBe(429);
      return answer;
    }, PATIENCE);
    expect(refused.body).toContain(
      "This client has used up its 10 of the organisation's 100 unfunded payments.",
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(1);
    expect((await confirmFrom('127.0.0.2')).status).toBe(200);
    const own = await api.request('POST', '/payments/confirm', { body: await confirmation() });
    expect(own.status).toBe(200);
  });
});

describe('a key', () => {
  it.each(ENDPOINTS)('is required and verified for %s %s', async (method, path) => {
    for (const key of [null, 'nonsense', `sk_${'x'.repeat(43)}`, `${file.keys.secret}x`]) {
      expectIssue(await apiOf(stack, key).request(method, path), 401);
    }
    const headers = { authorization: `Basic ${file.keys.secret}` };
    expectIssue(await apiOf(stack, null).request(method, path, { headers }), 401);
  });

  it('stops working after its revocation', async () => {
    const { secret, keySetId } = await newOrganisation(stack);
    const api = apiOf(stack, secret);
    expect((await api.request('GET', '/chains')).status).toBe(200);
    await stack.operator('keys', 'revoke', '--id', keySetId);
    await eventually(async () => expectIssue(await api.request('GET', '/chains'), 401));
  });

  it('is rotated by a command that names the operator: the old one works until it retires', async () => {
    const { organisationId, secret, keySetId } = await newOrganisation(stack);
    const self = (key: string) => apiOf(stack, key).request('GET', '/orgs/keys/self');
    expect((await self(secret)).body).toMatchObject({ org_id: organisationId, kind: 'secret' });
    const rotate = ['keys', 'rotate', '--id', keySetId, '--as', 'alice'];
    const successor = /(sk_\S+)/.exec(await stack.operator(...rotate))?.[1] ?? '';
    expect((await self(successor)).status).toBe(200);
    expect((await self(secret)).status).toBe(200);
    const [retired, last] = [successor, await stack.operator(...rotate, '--retire-at', 'now')];
    await eventually(async () => expectIssue(await self(retired), 401));
    expect((await self(/(sk_\S+)/.exec(last)?.[1] ?? '')).status).toBe(200);
    const entries = await stack.operator('audit', 'list', '--organisation', organisationId);
    expect(entries).toMatch(/"actor":"operator alice \(\S+\)","action":"key.rotated"/);
  });

  it('cannot pay by SWIFT unless an operator enabled it', async () => {
    const { fault } = await ours.post<QuotesResponse>('/payments/quotes', {
      request: {
        kind: 'FIXED_INPUT',
        fixed_input_amount: { asset: 'usd', amount: '100' },
        output_asset: new Chain(file, 'alphanet').token('USDC'),
      },
      onramp_methods: ['SWIFT'],
    });
    expect(fault).toEqual({
      kind: 'payin_method',
      message: 'SWIFT is not enabled for this API key.',
    });
  });

  it('is told what it may do, as an operator sets it', async () => {
    const { organisationId, publishable, keySetId } = await newOrganisation(
      stack,
      'assets',
      'webhooks',
    );
    const self = () => apiOf(stack, publishable).get('/orgs/keys/self');
    expect(await self()).toMatchObject({ permissions: ['assets'], origins: null });
    const limits = ['--limit', '900', '--client-limit', '90'];
    await stack.operator('keys', 'limit', '--key-set', keySetId, ...limits);
    await stack.operator(
      'organisations',
      'limit',
      '--organisation',
      organisationId,
      '--limit',
      '9000',
    );
    await stack.operator('keys', 'methods', '--key-set', keySetId, '--methods', 'SWIFT');
    await eventually(async () =>
      expect(await self()).toMatchObject({
        onramp_methods: expect.arrayContaining(['SWIFT']),
        limits: {
          ...{ window_seconds: 3_600, client: 90, key: 900 },
          ...{ publishable_keys: 8_100, organisation: 9_000 },
        },
      }),
    );
  });

  it('works only on pages of its organisation, whose preflights are answered', async () => {
    const { organisationId, publishable } = await newOrganisation(stack);
    const restrict = ['organisations', 'restrict', '--organisation', organisationId];
    await stack.operator(...restrict, '--origins', 'https://shop.example');
    const api = apiOf(stack, publishable);
    const from = (origin: string) => api.request('GET', '/chains', { headers: { origin } });
    await eventually(async () => expectIssue(await from('https://evil.example'), 403));
    const own = await from('https://shop.example');
    expect([own.status, own.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    const preflight = await apiOf(stack, null).request('OPTIONS', '/chains', {
      headers: {
        origin: 'https://shop.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization');
    await stack.operator(...restrict, '--origins', 'any');
    await eventually(async () => expect((await from('https://evil.example')).status).toBe(200));
  });

  it('gives access only to permitted endpoints', async () => {
    const { secret } = await newOrganisation(stack, 'assets');
    const api = apiOf(stack, secret);
    expect((await api.request('GET', '/assets')).status).toBe(200);
    expectIssue(await api.request('POST', '/payments/quotes', { body: {} }), 403);
    expectIssue(await api.request('GET', '/payments', { query: { payment_id: paymentId } }), 403);
  });

  it.each(['POST', 'GET', 'DELETE'])('cannot %s webhooks when publishable', async (method) => {
    const api = apiOf(stack, file.keys.publishable);
    expectIssue(await api.request(method, '/orgs/webhooks'), 403);
  });
});

/** Names the limit that refused an answer, and whether it says when to try again. */
const refusal = ({ status, headers }: Awaited<ReturnType<typeof visit>>) => ({
  status,
  policy: /^"(\w+)"/.exec(String(headers['ratelimit-policy']))?.[1],
  retries: Number(headers['retry-after']) > 0,
});
const refusedBy = (policy: string) => ({ status: 429, policy, retries: true });

describe('a rate limit', () => {
  it('locks out one visitor, whatever address it claims, and no other', async () => {
    const { publishable, keySetId } = await newOrganisation(stack);
    await stack.operator('keys', 'limit', '--key-set', keySetId, '--client-limit', '3');
    let claims = 0;
    const flood = () => {
      claims += 1;
      return visit(stack, publishable, '127.0.0.1', {
        'x-forwarded-for': `198.51.100.${claims % 250}`,
        'x-client-ip': `198.51.100.${claims % 250}`,
      });
    };
    await eventually(async () => expect(refusal(await flood())).toEqual(refusedBy('client')));
    expect((await visit(stack, publishable, '127.0.0.2')).status).toBe(200);
  });

  it('has a ceiling for each organisation above those of its keys', async () => {
    const { organisationId, publishable, secret } = await newOrganisation(stack);
    await stack.operator(
      'organisations',
      'limit',
      '--organisation',
      organisationId,
      '--limit',
      '4',
    );
    await eventually(async () =>
      expect(refusal(await visit(stack, secret, '127.0.0.1'))).toEqual(refusedBy('organisation')),
    );
    const visitor = await visit(stack, publishable, '127.0.0.3');
    expect(refusal(visitor)).toEqual(refusedBy('organisation'));
    expect((await visit(stack, other.secret, '127.0.0.1')).status).toBe(200);
    await stack.operator(
      'organisations',
      'limit',
      '--organisation',
      organisationId,
      '--limit',
      'default',
    );
    await eventually(async () =>
      expect((await visit(stack, secret, '127.0.0.1')).status).toBe(200),
    );
  });

  it('is used up faster by expensive requests', async () => {
    const { secret } = await newOrganisation(stack);
    const api = apiOf(stack, secret);
    const remaining = async (method: string, path: string) => {
      const { headers } = await api.request(method, path, method === 'POST' ? { body: {} } : {});
      return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const [first, second, third] = [
      await remaining('GET', '/chains'),
      await remaining('GET', '/chains'),
      await remaining('POST', '/payments/quotes'),
    ];
    expect([first - second, second - third]).toEqual([1, 5]);
  });
});

describe("another organisation's payment", () => {
  const foreign = () => apiOf(stack, other.secret);

  it('is shown to its own organisation', async () => {
    const answer = await ours.request('GET', '/payments', { query: { payment_id: paymentId } });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ payment_id: paymentId, org_id: file.organisation_id });
  });

  it('is hidden from other organisations', async () => {
    const query = { payment_id: paymentId };
    expectIssue(await foreign().request('GET', '/payments', { query }), 403);
  });

  it('hides its balances and refuses a withdrawal', async () => {
    const body = { payment_id: paymentId };
    expectIssue(await foreign().request('POST', '/payments/balances', { body }), 403);
    const withdrawal = {
      ...body,
      token_amounts: [
        { token: `alphanet:${file.chains['alphanet']?.tokens['USDC']}`, amount: '1' },
      ],
      recipient_address: newTestUser().destination,
    };
    expectIssue(await foreign().request('POST', '/payments/withdraw', { body: withdrawal }), 403);
  });
});

describe('a missing resource', () => {
  it.each([
    ['GET', '/payments/archive'],
    ['POST', '/payments/cancel'],
    ['GET', '/nowhere'],
  ])('returns 404 with an error body for %s %s', async (method, path) => {
    expectIssue(await ours.request(method, path), 404);
  });

  it('returns 404 for an unconfirmed payment', async () => {
    const payment_id = '01890000-0000-7000-8000-000000000000';
    expectIssue(await ours.request('GET', '/payments', { query: { payment_id } }), 404);
    expectIssue(await ours.request('POST', '/payments/balances', { body: { payment_id } }), 404);
  });

  it('returns 404 for an unknown withdrawal', async () => {
    const query = { withdraw_id: '01890000-0000-7000-8000-000000000000' };
    expectIssue(await ours.request('GET', '/payments/withdraw/status', { query }), 404);
  });
});

describe('a service', () => {
  it.each([
    ['CATALOGUE_PORT', '/assets'],
    ['PAYMENT_PORT', '/payments'],
    ['WITHDRAWAL_PORT', '/payments/withdraw/status'],
    ['WEBHOOK_DISPATCH_PORT', '/orgs/webhooks'],
  ] as const)('refuses requests that bypass the gateway at %s', async (port, path) => {
    const response = await fetchOutsideApi(`http://127.0.0.1:${stack.ports[port]}${path}`, {
      headers: { authorization: `Bearer ${file.keys.secret}`, 'x-internal-token': 'forged' },
    });
    expect(response.status).toBe(401);
  });

  it('returns a request id, the one of the request when it is valid', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    const echoed = await ours.request('GET', '/chains', { headers });
    expect(echoed.headers.get('x-request-id')).toBe('my-request-1');
    const made = await ours.request('GET', '/nowhere');
    expect(made.headers.get('x-request-id')).toMatch(/\S{8,}/);
  });
});

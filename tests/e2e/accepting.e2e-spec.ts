import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Payment, QuotesResponse } from '@bascule/contracts';
import { startAnvil, stopAnvil } from '@bascule/local-stack';
import { concurrently, eventually } from '@bascule/testing';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, Api } from '../../tools/first-payment/api.js';
import { Chain } from '../../tools/first-payment/chain.js';
import { newTestUser } from '../../tools/first-payment/test-user.js';
import { confirmBody, quote, type PaymentRequest } from '../../tools/first-payment/payments.js';
import { apiOf, newOrganisation } from './testing/operators.fixture.js';
import { StackProcess } from '../testing/stack-process.fixture.js';

let stack: StackProcess;
let api: Api;
let chain: Chain;
let other: Chain;

beforeAll(async () => {
  stack = await StackProcess.create('accepting');
  const file = await stack.start();
  api = apiOf(stack, file.keys.secret);
  chain = new Chain(file, 'alphanet');
  other = new Chain(file, 'betanet');
});

afterAll(() => stack.dispose());

const aSwap = (amount = '25', on = chain): PaymentRequest => {
  const { owner, destination } = newTestUser();
  return {
    input: { asset: on.token('USDC'), amount },
    output: on.token('WETH'),
    owner: owner.address,
    destination,
  };
};

interface Quoted {
  request: PaymentRequest;
  response: QuotesResponse;
  paymentId: string;
  body: ReturnType<typeof confirmBody>;
}

async function quoted(request = aSwap()): Promise<Quoted> {
  const response = await quote(api, request);
  const [first] = response.quotes;
  if (!first) throw new Error(`no quote: ${JSON.stringify(response)}`);
  const body = confirmBody(request, first.payment_id, response.state_token);
  return { request, response, paymentId: first.payment_id, body };
}

const confirm = (body: unknown, by = api): Promise<Answer> =>
  by.request('POST', '/payments/confirm', { body });

/** A busy machine may refuse a request before it is confirmed: the client tries again. */
const retried = (send: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await send();
    expect(answer.status).not.toBe(503);
    return answer;
  });

const isStored = async (paymentId: string): Promise<boolean> => {
  const { status } = await api.request('GET', '/payments', { query: { payment_id: paymentId } });
  return status === 200;
};

const problemsOf = ({ body }: Answer) =>
  (body as { errors: { code?: string; path?: (string | number)[]; message: string }[] }).errors;

describe('bad input', () => {
  it('gets every problem of a quote request in one response', async () => {
    const answer = await api.request('POST', '/payments/quotes', {
      body: {
        request: {
          kind: 'FIXED_INPUT',
          fixed_input_amount: { asset: 'alphanet:0x12', amount: '-1' },
          output_asset: 7,
        },
        onramp_methods: ['CREDIT_CARD', 'SHELLS'],
        label: 'x'.repeat(256),
      },
    });
    expect(answer.status).toBe(400);
    const paths = problemsOf(answer).map(({ path }) => path?.join('.'));
    for (const path of [
      'request.fixed_input_amount.asset',
      'request.fixed_input_amount.amount',
      'request.output_asset',
      'onramp_methods.1',
      'label',
    ]) {
      expect(paths).toContain(path);
    }
    for (const { code, message } of problemsOf(answer)) {
      expect([typeof code, typeof message]).toEqual(['string', 'string']);
    }
  });

  it('gets every problem of a confirm in one response and stores nothing', async () => {
    const { body, paymentId } = await quoted();
    const answer = await confirm({
      ...body,
      owner_address: 'me',
      destination_address: 12,
      client_redirect_url: 'javascript:alert(1)',
      payment_expiration_minutes: 61,
    });
    expect(answer.status).toBe(400);
    expect(problemsOf(answer).map(({ path }) => path?.[0])).toEqual(
      expect.arrayContaining([
        'owner_address',
        'destination_address',
        'client_redirect_url',
        'payment_expiration_minutes',
      ]),
    );
    expect(await isStored(paymentId)).toBe(false);
  });

  it('gets an error body when it is not JSON or too long', async () => {
    const broken = await confirm('{"payment_id":');
    expect(broken.status).toBe(400);
    expect(problemsOf(broken)).toHaveLength(1);
    const long = await confirm({ payment_id: 'x'.repeat(300_000) });
    expect(long.status).toBe(413);
    expect(problemsOf(long)).toEqual([{ kind: 'other', message: expect.any(String) }]);
  });

  it('stores nothing from 300 USD on until the owner has signed', async () => {
    const { body, paymentId } = await quoted(aSwap('400'));
    const answer = await confirm(body);
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'UNCONFIRMED', next_instruction: { type: 'USER_VERIFY' } },
    });
    expect(await isStored(paymentId)).toBe(false);
  });
});

describe('a state token', () => {
  it('is refused after any change', async () => {
    const { body, paymentId } = await quoted();
    const token = body.state_token;
    const middle = Math.floor(token.length / 2);
    const flipped = token[middle] === 'A' ? 'B' : 'A';
    for (const altered of [
      token.slice(0, middle) + flipped + token.slice(middle + 1),
      token.slice(0, -4),
      `${token}x`,
      'nonsense',
    ]) {
      expect((await confirm({ ...body, state_token: altered })).status).toBe(400);
    }
    expect(await isStored(paymentId)).toBe(false);
  });

  it('is refused for another organisation', async () => {
    const { body, paymentId } = await quoted();
    const { secret } = await newOrganisation(stack);
    expect((await confirm(body, apiOf(stack, secret))).status).toBe(403);
    expect(await isStored(paymentId)).toBe(false);
  });

  it('is refused for a payment that it does not contain', async () => {
    const { body } = await quoted();
    const { paymentId } = await quoted();
    expect((await confirm({ ...body, payment_id: paymentId })).status).toBe(404);
  });
});

describe('confirming', () => {
  it('creates one payment from a thousand concurrent requests', async () => {
    const { body, paymentId } = await quoted();
    const answers = await concurrently(Array<typeof body>(1_000).fill(body), (each) =>
      confirm(each),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // A busy machine may refuse some before they reach the database.
    expect([200, 409, 503]).toEqual(expect.arrayContaining(statuses));
    for (const answer of answers.filter(({ status }) => status === 409)) {
      expect(problemsOf(answer)).toEqual([{ kind: 'other', message: expect.any(String) }]);
    }
    expect((await confirm(body)).status).toBe(409);
    expect(await isStored(paymentId)).toBe(true);
  });

  it('gives a thousand concurrent requests with one Idempotency-Key the same answer', async () => {
    const { body, paymentId } = await quoted();
    const headers = { 'idempotency-key': paymentId, origin: 'https://shop.example' };
    const send = () => api.request('POST', '/payments/confirm', { body, headers });
    const answers = await concurrently(Array<null>(1_000).fill(null), () => retried(send));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1);
    const replay = await send();
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(replay.headers.get('access-control-expose-headers')).toContain('idempotency-replayed');
    const other = { ...body, destination_address: newTestUser().destination };
    const refused = await api.request('POST', '/payments/confirm', { body: other, headers });
    expect([refused.status, problemsOf(refused)]).toMatchObject([422, [{ kind: 'other' }]]);
  });

  it('is asked for again while a chain is down, and stores nothing', async () => {
    const there = aSwap('25', other);
    const { body, paymentId } = await quoted(there);
    const betanet = {
      name: 'betanet',
      stateFile: join(stack.directory, 'chains/betanet.json'),
    };
    await stopAnvil(betanet);
    // The second one skips the check of the owner, so that only the simulation reads the chain.
    for (const allow_unsafe_owner of [false, true]) {
      const { status, headers } = await confirm({ ...body, allow_unsafe_owner });
      expect(status).toBe(503);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await isStored(paymentId)).toBe(false);
    const { quotes, failures } = await quote(api, there);
    expect(quotes).toEqual([]);
    const issues = [{ kind: 'other', message: expect.stringContaining('betanet') }];
    expect(failures).toEqual([expect.objectContaining({ issues })]);
    expect((await confirm((await quoted()).body)).status).toBe(200);

    await startAnvil({ ...betanet, chainId: 31338, port: stack.ports.BETANET_PORT });
    await eventually(async () => expect((await confirm(body)).status).toBe(200), {
      timeoutMs: 60_000,
    });
  });

  it('is refused once the quote has expired, and so are signatures for it', async () => {
    await stack.stop();
    await stack.start({ QUOTE_VALIDITY_SECONDS: '3' });
    const { body, paymentId } = await quoted();
    const owner = newTestUser().owner;
    const large = { ...aSwap('400'), owner: owner.address };
    // A busy machine may take longer than a quote is valid.
    const { asked, expires } = await eventually(async () => {
      const { body: of, response } = await quoted(large);
      const { body: answered } = await confirm(of);
      expect(answered).toMatchObject({ status: 'UNCONFIRMED' });
      return { asked: answered as Payment, expires: Date.parse(response.accept_by) };
    });
    await delay(expires - Date.now() + 1_500);
    expect((await confirm(body)).status).toBe(400);
    expect(await isStored(paymentId)).toBe(false);

    const next = asked.next_instruction;
    if (next?.type !== 'USER_VERIFY') throw new Error('the payment needs no verification');
    const { verification_token, verifications } = next;
    const signatures = await Promise.all(
      verifications.map(async ({ reason, payload: message }) => ({
        reason,
        signature: await owner.signMessage({ message }),
      })),
    );
    const late = await confirm({ verification_token, signatures });
    expect([late.status, problemsOf(late)]).toMatchObject([
      400,
      [{ path: ['verification_token'] }],
    ]);
    expect(await isStored(asked.payment_id)).toBe(false);
  });
});

import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { concurrently, eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { openOrder } from '../testing/orders.fixture.js';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import { ORGANISATION, RELAYER, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Answer, Stage } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());
let two: TwoChainStage;
let stage: Stage;
let another: RunningService;

beforeAll(async () => {
  // All requests of a test wait for the settlement, whichever process they reach.
  two = await startTwoChainStage({ variables: { MAX_WAITING_CONFIRMS: '8000' } });
  ({ stage } = two);
  another = await stage.startAnother();
}, 120_000);
afterAll(async () => {
  await another.shutdown({ graceMs: 0 });
  await two.stop();
});

async function aRequest() {
  const payment = aPayment(owner.address, {});
  await stage.publish('payment', 'payment.updated', payment.id, payment.state);
  await stage.fund(USDC, payment.wallet, 40_000_000n);
  return {
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: privateKeyToAddress(generatePrivateKey()),
  };
}

const post = <T>(path: string, body: object, key: string, at?: string) =>
  stage.call<T & ErrorBody>(path, body, ORGANISATION, { 'idempotency-key': key }, at ? { at } : {});
const ask = (body: object, key: string, at?: string) =>
  post<WithdrawResponse>('/payments/withdraw', body, key, at);
const confirm = (body: object, key: string, at?: string) =>
  post<WithdrawalStatusResponse>('/payments/withdraw/confirm', body, key, at);

const confirmation = async (asked: WithdrawResponse, polling_timeout = 60_000) => ({
  state_token: asked.state_token,
  signature: await signWithdrawal(asked, owner),
  polling_timeout,
});

const replayed = ({ headers }: Answer<unknown>) => headers.get('idempotency-replayed');
const relayed = () => stage.client.getTransactionCount({ address: RELAYER });

/** Sends a request so many times, in turns to both processes. */
const repeatedly = <T>(times: number, send: (at?: string) => Promise<Answer<T>>) =>
  concurrently(
    Array.from({ length: times }, (_, index) => index % 2 === 0),
    (isThere) => (isThere ? send(another.url) : send()),
  );

function expectOneAnswer(answers: readonly Answer<unknown>[]): void {
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
}

describe('withdrawal requests with an Idempotency-Key', () => {
  it('make and pay one withdrawal, however often and wherever they arrive', async () => {
    const request = await aRequest();
    const [asking, confirming] = [randomUUID(), randomUUID()];
    const asked = await repeatedly(1_000, (at) => ask(request, asking, at));
    expectOneAnswer(asked);
    expect(asked.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    const rows = await stage.database.rows('SELECT id FROM withdrawals WHERE payment_id = $1', [
      request.payment_id,
    ]);
    expect(rows).toHaveLength(1);

    const [first] = asked;
    if (first === undefined) throw new Error('no answer');
    const before = await relayed();
    const body = await confirmation(first.body);
    const confirmed = await repeatedly(1_000, (at) => confirm(body, confirming, at));
    expectOneAnswer(confirmed);
    expect(confirmed[0]?.body).toMatchObject({ status: 'SUCCESS' });
    expect((await relayed()) - before).toBe(1);

    const late = await confirm(body, confirming);
    expect([late.body, replayed(late)]).toEqual([confirmed[0]?.body, 'true']);
    expect((await confirm(body, randomUUID())).status).toBe(409);
  });

  it('repeat an answer that the withdrawal has left behind', async () => {
    const asked = (await ask(await aRequest(), randomUUID())).body;
    const key = randomUUID();
    const first = await confirm(await confirmation(asked, 0), key);
    expect(first.body.status).toBe('PENDING');
    const settled = await confirm(await confirmation(asked), randomUUID());
    expect([200, 409]).toContain(settled.status);
    const again = await confirm(await confirmation(asked, 0), key);
    expect([again.body, replayed(again)]).toEqual([first.body, 'true']);
  });

  it('wait for the settlement again when their client has left', async () => {
    const asked = (await ask(await aRequest(), randomUUID())).body;
    const key = randomUUID();
    const body = await confirmation(asked);
    const client = new AbortController();
    stage.refuseTransactions(true);
    const left = stage
      .call('/payments/withdraw/confirm', body, ORGANISATION, { 'idempotency-key': key }, client)
      .catch((error: unknown) => error);
    await eventually(async () => {
      const submitted = 'SELECT submitted FROM withdrawals WHERE id = $1';
      expect(await stage.database.rows(submitted, [asked.withdraw_id])).toEqual([
        { submitted: true },
      ]);
    });
    client.abort();
    expect(await left).toMatchObject({ name: 'AbortError' });
    stage.refuseTransactions(false);
    const again = await confirm(body, key);
    expect([again.status, again.body.status]).toEqual([200, 'SUCCESS']);
  });

  it('wait for the settlement again when their process has stopped', async () => {
    const asked = (await ask(await aRequest(), randomUUID())).body;
    const key = randomUUID();
    const body = await confirmation(asked);
    const stopped = await stage.startAnother();
    stage.refuseTransactions(true);
    const interrupted = confirm(body, key, stopped.url);
    await eventually(async () => {
      const submitted = 'SELECT submitted FROM withdrawals WHERE id = $1';
      expect(await stage.database.rows(submitted, [asked.withdraw_id])).toEqual([
        { submitted: true },
      ]);
    });
    await stopped.shutdown({ graceMs: 0 });
    expect((await interrupted).body).toMatchObject({ status: 'PENDING' });
    stage.refuseTransactions(false);
    const again = await confirm(body, key);
    expect([again.status, again.body.status]).toEqual([200, 'SUCCESS']);
  });

  it('pay one refund of an order, although a process reads the order after another has paid it', async () => {
    const { payment, order, id, state } = await openOrder(stage, owner.address);
    await stage.publish('payment', 'payment.failed', payment.id, state('OPEN'));
    await two.passTime(order.fillDeadline + 1n);
    const request = {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '100' }],
      recipient_address: privateKeyToAddress(generatePrivateKey()),
      withdraw_account: 'INTENT',
    };
    const { body: asked } = await ask(request, randomUUID());
    const signature = await owner.signMessage({ message: asked.withdraw_authorization });
    const body = { state_token: asked.state_token, signature, polling_timeout: 60_000 };
    const key = randomUUID();

    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<null>();
    let isFirst = true;
    stage.interceptNode((call) => {
      if (!isFirst || !JSON.stringify(call).includes(id.slice(2))) return null;
      isFirst = false;
      held.resolve();
      return released.promise;
    });
    const late = confirm(body, key, another.url);
    await held.promise;
    const first = await confirm(body, key);
    released.resolve(null);
    stage.interceptNode();
    expect(first.body).toMatchObject({ status: 'SUCCESS' });
    expectOneAnswer([first, await late]);
  });

  it('are refused with another body', async () => {
    const request = await aRequest();
    const key = randomUUID();
    expect((await ask(request, key)).status).toBe(200);
    const token_amounts = [{ token: USDC, amount: '39' }];
    expect((await ask({ ...request, token_amounts }, key)).status).toBe(422);
    expect((await ask(request, 'x'.repeat(256))).status).toBe(400);
  });

  it('are tried again after a refusal', async () => {
    const request = await aRequest();
    const key = randomUUID();
    const token_amounts = [{ token: USDC, amount: '4000' }];
    expect((await ask({ ...request, token_amounts }, key)).status).toBe(400);
    const { body: asked } = await ask(request, key);
    const body = await confirmation(asked);
    const wrong = await privateKeyToAccount(generatePrivateKey()).signMessage({ message: 'no' });
    expect((await confirm({ ...body, signature: wrong }, key)).status).toBe(401);
    expect((await confirm(body, key)).body).toMatchObject({ status: 'SUCCESS' });
  });
});

import { randomBytes, randomUUID } from 'node:crypto';
import type { ErrorBody, WithdrawalStatusResponse, WithdrawResponse } from '@bascule/contracts';
import { answersByKey } from '@bascule/idempotency';
import { SealedTokens } from '@bascule/sealed-tokens';
import { eventually, keysInUse, RunningLoad, SecretDirectory } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { ORGANISATION, startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const aKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const [oldKey, newKey] = [aKey('old'), aKey('new')];
const mounted = new SecretDirectory({ STATE_TOKEN_KEYS: JSON.stringify([oldKey]) });
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());

describe('keys that rotate while withdrawals are requested and confirmed', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ variables: mounted.env });
  }, 120_000);
  afterAll(async () => {
    await stage.stop();
    mounted.remove();
  });

  const rotateTo = async (...keys: { kid: string }[]) => {
    mounted.replace({ STATE_TOKEN_KEYS: JSON.stringify(keys) });
    await eventually(async () => {
      const kids = await keysInUse(stage.service().operationsUrl, 'STATE_TOKEN_KEYS');
      expect(kids).toEqual(keys.map(({ kid }) => kid));
    });
  };
  async function aRequest() {
    const payment = aPayment(owner.address);
    await stage.publish('payment', 'payment.updated', payment.id, payment.state);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
    return {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '40' }],
      recipient_address: owner.address,
    };
  }
  const ask = async (request: object, key: string = randomUUID()) => {
    const headers = { 'idempotency-key': key };
    const {
      status,
      headers: answered,
      body,
    } = await stage.call<WithdrawResponse>(
      ...(['/payments/withdraw', request, ORGANISATION, headers] as const),
    );
    if (status !== 200) throw new Error(`a request was answered with ${status}`);
    return { body, isRepeated: answered.get('idempotency-replayed') === 'true' };
  };
  const confirm = async (asked: WithdrawResponse, signer = owner) =>
    stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
      state_token: asked.state_token,
      signature: await signWithdrawal(asked, signer),
      polling_timeout: 60_000,
    });
  const storedBy = () => answersByKey(stage.service().app.get(DataSource));
  /** Opens a state token with one key alone. */
  const openWith = (key: typeof oldKey, { state_token }: WithdrawResponse) =>
    new SealedTokens([key]).open('withdrawal', state_token);

  it('open every state token and stored answer, and seal with the first of them', async () => {
    const [request, keptRequest] = [await aRequest(), await aRequest()];
    const load = new RunningLoad(2, async () => {
      const key = randomUUID();
      const [first, again] = [await ask(request, key), await ask(request, key)];
      expect([again.body, again.isRepeated]).toEqual([first.body, true]);
      // The token is opened before the signature is refused.
      expect((await confirm(first.body, stranger)).status).toBe(401);
    });
    const keptKey = randomUUID();
    const kept = await ask(keptRequest, keptKey);
    const [early, removed] = [await ask(await aRequest()), await ask(await aRequest())];
    expect(Object.keys(await storedBy())).toEqual(['old']);
    try {
      await load.progress();
      await rotateTo(oldKey, newKey);
      await load.progress();
      await rotateTo(newKey, oldKey);
      await load.progress();
    } finally {
      await load.stop();
    }
    expect(load.failures).toEqual([]);
    expect(await ask(keptRequest, keptKey)).toEqual({ body: kept.body, isRepeated: true });
    expect((await confirm(early.body)).body.status).toBe('SUCCESS');
    const late = await ask(await aRequest());
    expect(await openWith(newKey, late.body)).toMatchObject({ orgId: ORGANISATION });
    expect(Object.keys(await storedBy()).sort()).toEqual(['new', 'old']);

    // The old key is removed after the last token that it sealed has expired.
    await rotateTo(newKey);
    const { status, body } = await confirm(removed.body);
    expect([status, body.errors]).toMatchObject([400, [{ path: ['state_token'] }]]);
    expect((await confirm(late.body)).body.status).toBe('SUCCESS');
  });
});

import { randomUUID } from 'node:crypto';
import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import { VISITOR_HEADER } from '@bascule/identity';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { ORGANISATION, startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Answer, Stage } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());

/** One request may wait for a withdrawal or of a visitor, and four of an organisation. */
const LIMITS = { MAX_WAITING_CONFIRMS: '8' };

type Confirmed = Answer<WithdrawalStatusResponse & ErrorBody>;

describe('confirms that wait for their settlement', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage({ variables: LIMITS });
  }, 120_000);
  beforeEach(() => {
    stage.refuseTransactions(true);
  });
  afterEach(() => {
    stage.refuseTransactions(false);
  });
  afterAll(() => stage.stop());

  async function aWithdrawal(payment = aPayment(owner.address)): Promise<WithdrawResponse> {
    await stage.publish('payment', 'payment.updated', payment.id, payment.state);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
    const { status, body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '40' }],
      recipient_address: privateKeyToAddress(generatePrivateKey()),
    });
    expect(status).toBe(200);
    return body;
  }

  /** Waits for the settlement as long as a client may. */
  async function confirm(
    asked: WithdrawResponse,
    { visitor, key }: { visitor?: string; key?: string } = {},
  ): Promise<Confirmed> {
    const headers: Record<string, string> = {
      ...(visitor !== undefined && { [VISITOR_HEADER]: visitor }),
      ...(key !== undefined && { 'idempotency-key': key }),
    };
    const { state_token } = asked;
    const body = { state_token, signature: await signWithdrawal(asked, owner) };
    const caller = { kind: visitor === undefined ? ('secret' as const) : ('publishable' as const) };
    return stage.call(
      ...(['/payments/withdraw/confirm', body, ORGANISATION, headers, { caller }] as const),
    );
  }

  const statuses = (answers: readonly Confirmed[]) => answers.map(({ body }) => body.status).sort();

  it('are PENDING at once beside another of the same withdrawal, and SUCCESS when repeated', async () => {
    const asked = await aWithdrawal();
    const key = randomUUID();
    const both = [confirm(asked, { key }), confirm(asked, { key })];
    expect((await Promise.race(both)).body.status).toBe('PENDING');
    stage.refuseTransactions(false);
    expect(statuses(await Promise.all(both))).toEqual(['PENDING', 'SUCCESS']);
    // The refusal to wait was not the final answer to the key.
    expect((await confirm(asked, { key })).body.status).toBe('SUCCESS');
  });

  it('are PENDING at once beside another of the same visitor, and not beside those of others', async () => {
    const [first, second, other] = [await aWithdrawal(), await aWithdrawal(), await aWithdrawal()];
    const both = [
      confirm(first, { visitor: 'stranger' }),
      confirm(second, { visitor: 'stranger' }),
    ];
    expect((await Promise.race(both)).body.status).toBe('PENDING');
    const waiting = confirm(other, { visitor: 'owner' });
    expect(await Promise.race([waiting, confirm(other, { visitor: 'stranger' })])).toMatchObject({
      body: { status: 'PENDING' },
    });
    stage.refuseTransactions(false);
    expect(statuses(await Promise.all([...both, waiting]))).toEqual([
      'PENDING',
      'SUCCESS',
      'SUCCESS',
    ]);
  });

  it('are PENDING at once beside another where someone else submitted it first, until the chain has confirmed that', async () => {
    const payment = aPayment(owner.address);
    const asked = await aWithdrawal(payment);
    const { withdraw_authorization: text, withdraw_id: id } = asked;
    await stage.client.setIntervalMining({ interval: 0 });
    await stage.client.setAutomine(true);
    try {
      const signature = await signWithdrawal(asked, owner);
      await stage.submitDirectly(payment, text, signature, { isReported: false });
      const both = [confirm(asked), confirm(asked)];
      expect(await Promise.race(both)).toMatchObject({ status: 200, body: { status: 'PENDING' } });
      await stage.client.setIntervalMining({ interval: 1 });
      const answers = await Promise.all(both);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    } finally {
      await stage.client.setIntervalMining({ interval: 1 });
    }
    expect((await confirm(asked)).status).toBe(409);
    const path = `/payments/withdraw/status?withdraw_id=${id}`;
    expect((await stage.call<WithdrawalStatusResponse>(path)).body.status).toBe('SUCCESS');
  });

  it('submit the withdrawal whether they wait or not', async () => {
    const crowd = [await aWithdrawal(), await aWithdrawal()];
    const both = crowd.map((asked) => confirm(asked, { visitor: 'stranger' }));
    await Promise.race(both);
    stage.refuseTransactions(false);
    await Promise.all(both);
    const ids = crowd.map(({ withdraw_id }) => withdraw_id);
    const submitted = await stage.database.rows(
      'SELECT id FROM withdrawals WHERE id = ANY($1::uuid[]) AND submitted',
      [ids],
    );
    expect(submitted).toHaveLength(2);
  });
});

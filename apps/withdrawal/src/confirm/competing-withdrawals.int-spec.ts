import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import type { RunningService } from '@bascule/service-host';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { ORGANISATION, RELAYER, startStage, USDC } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());

describe('withdrawals of one wallet that are confirmed at once', () => {
  let stage: Stage;
  let another: RunningService;
  let payment: TestPayment;
  beforeAll(async () => {
    stage = await startStage();
    another = await stage.startAnother();
  }, 120_000);
  beforeEach(async () => {
    payment = aPayment(owner.address);
    await stage.publish('payment', 'payment.updated', payment.id, payment.state);
    await stage.fund(USDC, payment.wallet, 40_000_000n);
  });
  afterEach(() => {
    stage.refuseTransactions(false);
  });
  afterAll(async () => {
    await another.shutdown({ graceMs: 0 });
    await stage.stop();
  });

  const ask = async (amount: string) => {
    const { status, body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount }],
      recipient_address: privateKeyToAddress(generatePrivateKey()),
    });
    expect(status).toBe(200);
    return body;
  };
  const confirm = async (asked: WithdrawResponse, polling_timeout = 60_000, at?: string) => {
    const signature = await signWithdrawal(asked, owner);
    const body = { state_token: asked.state_token, signature, polling_timeout };
    return stage.call<WithdrawalStatusResponse & ErrorBody>(
      ...(['/payments/withdraw/confirm', body, ORGANISATION, {}, at ? { at } : {}] as const),
    );
  };
  const relayed = () => stage.client.getTransactionCount({ address: RELAYER });
  const submitted = () =>
    stage.database.rows<{ id: string }>(
      'SELECT id FROM withdrawals WHERE payment_id = $1 AND submitted',
      [payment.id],
    );

  it('cost one transaction when they take the same money, whichever processes they reach', async () => {
    const asked = [await ask('40'), await ask('40'), await ask('40'), await ask('40')];
    const before = await relayed();
    stage.refuseTransactions(true);
    const confirmed = asked.map((one, index) =>
      confirm(one, 60_000, index % 2 === 0 ? another.url : undefined),
    );
    await eventually(async () => expect(await submitted()).toHaveLength(1));
    stage.refuseTransactions(false);
    const statuses = (await Promise.all(confirmed)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 400, 400, 400]);
    expect(await submitted()).toHaveLength(1);
    expect((await relayed()) - before).toBe(1);
  });

  it('are all paid, one after the other, when they take different money', async () => {
    const asked = [await ask('10'), await ask('10'), await ask('20')];
    const confirmed = await Promise.all(asked.map((one) => confirm(one)));
    expect(confirmed.map(({ body }) => body.status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect(await stage.balance(USDC, payment.wallet)).toBe(0n);
  });

  it('are 503 with Retry-After where another is in flight longer than the client waits', async () => {
    const [first, second] = [await ask('10'), await ask('10')];
    stage.refuseTransactions(true);
    expect((await confirm(first, 0)).body.status).toBe('PENDING');
    for (const ms of [0, 300]) {
      const refused = await confirm(second, ms);
      expect(refused).toMatchObject({
        status: 503,
        body: { errors: [{ kind: 'other', message: expect.stringMatching(/in flight/) }] },
      });
      expect(refused.headers.get('retry-after')).toBe('2');
    }
    expect(await submitted()).toEqual([{ id: first.withdraw_id }]);
    expect((await confirm(first, 0)).body.status).toBe('PENDING');
    stage.refuseTransactions(false);
    expect((await confirm(second)).body.status).toBe('SUCCESS');
  });
});

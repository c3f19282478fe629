import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { createDataSource, pendingSchemaChanges } from '@bascule/persistence';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { USDC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';
import { entities, migrations } from '../persistence/persistence.config.js';

const AMOUNT = 40_000_000n;
const owner = privateKeyToAccount(generatePrivateKey());

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterAll(() => stage.stop());

async function aPaymentWithMoney(): Promise<TestPayment> {
  const payment = aPayment(owner.address);
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await stage.fund(USDC, payment.wallet, AMOUNT);
  return payment;
}

async function aSignedWithdrawal(of?: TestPayment) {
  const payment = of ?? (await aPaymentWithMoney());
  const recipient = privateKeyToAddress(generatePrivateKey());
  const { body: answer } = await stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: recipient,
  });
  const typedData = JSON.parse(answer.withdraw_authorization) as Parameters<
    typeof owner.signTypedData
  >[0];
  return { payment, recipient, answer, signature: await owner.signTypedData(typedData) };
}
type SignedWithdrawal = Awaited<ReturnType<typeof aSignedWithdrawal>>;

const confirm = ({ answer, signature }: SignedWithdrawal, polling_timeout: number) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature,
    polling_timeout,
  });

const hasStatus = ({ answer }: SignedWithdrawal, expected: string) =>
  eventually(async () => {
    const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
    expect((await stage.call<WithdrawalStatusResponse>(path)).body.status).toBe(expected);
  });

/** Without transactions on their way, which a slow process reports after the end or not at all. */
async function eventsOf(withdrawId: string): Promise<string[]> {
  const rows = await stage.database.rows<{ value: Buffer }>(
    `SELECT value FROM event_log.records WHERE key = $1 ORDER BY "offset"`,
    [withdrawId],
  );
  return rows
    .map(({ value }) => (JSON.parse(value.toString()) as { type: string }).type)
    .filter((type) => type !== 'withdrawal.broadcast');
}

describe('a withdrawal', () => {
  it('is executed once when the process stops between recording and sending it', async () => {
    const withdrawal = await aSignedWithdrawal();
    stage.refuseTransactions(true);
    expect((await confirm(withdrawal, 0)).body.status).toBe('PENDING');
    await stage.restart();
    expect(await stage.balance(USDC, withdrawal.recipient)).toBe(0n);
    stage.refuseTransactions(false);
    await hasStatus(withdrawal, 'SUCCESS');
    expect(await stage.balance(USDC, withdrawal.payment.wallet)).toBe(0n);
    await eventually(async () =>
      expect(await eventsOf(withdrawal.answer.withdraw_id)).toEqual([
        'withdrawal.requested',
        'withdrawal.submitted',
        'withdrawal.succeeded',
      ]),
    );
  });

  it('is reported as PENDING when the process stops while a client waits', async () => {
    const withdrawal = await aSignedWithdrawal();
    stage.refuseTransactions(true);
    const waiting = confirm(withdrawal, 60_000);
    await eventually(async () =>
      expect(await eventsOf(withdrawal.answer.withdraw_id)).toContain('withdrawal.submitted'),
    );
    await stage.restart();
    expect((await waiting).body).toMatchObject({ status: 'PENDING', transaction_hash: null });
    stage.refuseTransactions(false);
    await hasStatus(withdrawal, 'SUCCESS');
  });

  it('fails when its transaction reverts, and succeeds once a third party submits it', async () => {
    const withdrawal = await aSignedWithdrawal();
    const rival = await aSignedWithdrawal(withdrawal.payment);
    const submit = ({ payment, answer, signature }: SignedWithdrawal) =>
      stage.submitDirectly(payment, answer.withdraw_authorization, signature);
    stage.refuseTransactions(true);
    const waiting = confirm(withdrawal, 60_000);
    await eventually(async () =>
      expect(await eventsOf(withdrawal.answer.withdraw_id)).toContain('withdrawal.submitted'),
    );
    await submit(rival);
    stage.refuseTransactions(false);
    expect(await waiting).toMatchObject({ status: 400, body: { errors: [{ kind: 'other' }] } });
    await hasStatus(withdrawal, 'FAILED');
    expect((await confirm(withdrawal, 0)).status).toBe(400);
    await hasStatus(rival, 'SUCCESS');
    await stage.fund(USDC, withdrawal.payment.wallet, AMOUNT);
    await submit(withdrawal);
    await hasStatus(withdrawal, 'SUCCESS');
  });

  it('expires, signed or not, when its nonce is unused in a block past its expiry', async () => {
    await stage.restart({ WITHDRAWAL_LIFETIME_SECONDS: '12' });
    const submitted = await aSignedWithdrawal();
    const unsigned = await aSignedWithdrawal();
    stage.refuseTransactions(true);
    expect((await confirm(submitted, 0)).body.status).toBe('PENDING');
    await hasStatus(submitted, 'EXPIRED');
    stage.refuseTransactions(false);
    await hasStatus(unsigned, 'EXPIRED');
    expect((await confirm(unsigned, 0)).status).toBe(400);
    expect(await stage.balance(USDC, submitted.payment.wallet)).toBe(AMOUNT);
    await eventually(async () =>
      expect(await eventsOf(submitted.answer.withdraw_id)).toEqual([
        'withdrawal.requested',
        'withdrawal.submitted',
        'withdrawal.expired',
      ]),
    );
  });
});

it('migrations and entities agree', async () => {
  const dataSource = createDataSource({
    database: stage.database.database,
    entities,
    migrations,
  });
  await dataSource.initialize();
  try {
    expect(await pendingSchemaChanges(dataSource)).toEqual([]);
  } finally {
    await dataSource.destroy();
  }
});

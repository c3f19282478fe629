import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { ORGANISATION, USDC, startStage } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const AMOUNT = 40_000_000n;
const OTHER_ORGANISATION = '0190b2c3-0000-7000-8000-000000000002';
const UNSIGNED = 40;
const owner = privateKeyToAccount(generatePrivateKey());

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterEach(() => {
  stage.interceptNode();
});
afterAll(() => stage.stop());

async function aPaymentWithMoney(orgId = ORGANISATION): Promise<TestPayment> {
  const payment = aPayment(owner.address);
  payment.state.payment.org_id = orgId;
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await stage.fund(USDC, payment.wallet, AMOUNT);
  return payment;
}

interface Asked {
  payment: TestPayment;
  answer: WithdrawResponse;
  orgId: string;
}

async function ask(payment: TestPayment, orgId = ORGANISATION): Promise<Asked> {
  const request = {
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: privateKeyToAddress(generatePrivateKey()),
  };
  const { status, body } = await stage.call<WithdrawResponse>('/payments/withdraw', request, orgId);
  expect(status).toBe(200);
  return { payment, answer: body, orgId };
}

const confirm = async ({ answer, orgId }: Asked, polling_timeout: number) => {
  const signature = await signWithdrawal(answer, owner);
  const body = { state_token: answer.state_token, signature, polling_timeout };
  const path = '/payments/withdraw/confirm';
  return stage.call<WithdrawalStatusResponse & ErrorBody>(path, body, orgId);
};

const statusOf = async ({ answer, orgId }: Asked): Promise<WithdrawalStatusResponse> => {
  const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
  return (await stage.call<WithdrawalStatusResponse>(path, undefined, orgId)).body;
};

async function submitDirectly(asked: Asked, isReported: boolean): Promise<Hex> {
  const { payment, answer } = asked;
  const signature = await signWithdrawal(answer, owner);
  return stage.submitDirectly(payment, answer.withdraw_authorization, signature, { isReported });
}

const idsOf = (asked: readonly Asked[]) => asked.map(({ answer }) => answer.withdraw_id);

const makeDue = (asked: readonly Asked[]) =>
  stage.database.rows('UPDATE withdrawals SET due_at = now() WHERE id = ANY($1::uuid[])', [
    idsOf(asked),
  ]);

async function dueSoon(asked: readonly Asked[]): Promise<number> {
  const rows = await stage.database.rows(
    `SELECT id FROM withdrawals
     WHERE id = ANY($1::uuid[]) AND due_at < expires_at`,
    [idsOf(asked)],
  );
  return rows.length;
}

async function eventsOf({ answer }: Asked): Promise<string[]> {
  const rows = await stage.database.rows<{ value: Buffer }>(
    `SELECT value FROM event_log.records WHERE topic = 'bascule.withdrawal' AND key = $1 ORDER BY "offset"`,
    [answer.withdraw_id],
  );
  return rows.map(({ value }) => (JSON.parse(value.toString()) as { type: string }).type);
}

/** Counts the requests to the node from now on. */
function countRequests(): () => number {
  let count = 0;
  stage.interceptNode(() => {
    count += 1;
    return null;
  });
  return () => count;
}

describe('unsigned withdrawals', () => {
  it('cost no request to a node before their expiry, and share a few then', async () => {
    const payment = await aPaymentWithMoney();
    // The first request waits until the money is final.
    const first = await ask(payment);
    const asked = [
      first,
      ...(await Promise.all(Array.from({ length: UNSIGNED - 1 }, () => ask(payment)))),
    ];
    const requests = countRequests();
    expect(await dueSoon(asked)).toBe(0);
    // As the version before leaves them.
    await makeDue(asked);
    await eventually(async () => expect(await dueSoon(asked)).toBe(0));
    expect(requests()).toBe(0);
    await stage.letExpire(idsOf(asked));
    await eventually(async () => {
      for (const each of asked) expect((await statusOf(each)).status).toBe('EXPIRED');
    });
    expect(requests()).toBeLessThanOrEqual(6);
  });
});

describe('a withdrawal that its owner submits himself', () => {
  it('is settled once by the event of its payment, without a request to a node', async () => {
    const asked = await ask(await aPaymentWithMoney());
    const hash = await submitDirectly(asked, false);
    const requests = countRequests();
    const { payment } = asked;
    const nonce = (
      JSON.parse(asked.answer.withdraw_authorization) as { message: { nonce: string } }
    ).message.nonce;
    const mined = { chain: 'alphanet', nonce, transaction_hash: hash };
    const state = { ...payment.state, mined_withdrawals: [mined] };
    const stranger = await aPaymentWithMoney();
    const others = { ...stranger.state, mined_withdrawals: [mined] };
    await stage.publish('payment', 'payment.updated', stranger.id, others);
    const elsewhere = { ...state, mined_withdrawals: [{ ...mined, chain: 'betanet' }] };
    await stage.publish('payment', 'payment.updated', payment.id, elsewhere);
    const after = aPayment(owner.address);
    await stage.publish('payment', 'payment.expired', after.id, after.state);
    await eventually(async () => {
      const rows = await stage.database.rows('SELECT id FROM payments WHERE id = $1', [after.id]);
      expect(rows).toHaveLength(1);
    });
    expect((await statusOf(asked)).status).toBe('PENDING');

    for (let times = 0; times < 2; times += 1) {
      await stage.publish('payment', 'payment.updated', payment.id, state);
    }
    await eventually(async () =>
      expect(await statusOf(asked)).toMatchObject({ status: 'SUCCESS', transaction_hash: hash }),
    );
    const last = { ...payment.state, version: 2 };
    await stage.publish('payment', 'payment.updated', payment.id, last);
    await eventually(async () => {
      const rows = await stage.database.rows(
        'SELECT id FROM payments WHERE id = $1 AND version = 2',
        [payment.id],
      );
      expect(rows).toHaveLength(1);
      expect(await eventsOf(asked)).toEqual(['withdrawal.requested', 'withdrawal.succeeded']);
    });
    expect(requests()).toBe(0);
  });

  it('is settled at its expiry where no event told it', async () => {
    const asked = await ask(await aPaymentWithMoney());
    const hash = await submitDirectly(asked, false);
    await stage.client.mine({ blocks: 3 });
    await stage.letExpire(idsOf([asked]));
    await eventually(async () =>
      expect(await statusOf(asked)).toMatchObject({ status: 'SUCCESS', transaction_hash: hash }),
    );
  });
});

describe('withdrawals in flight', () => {
  it('leave room for another organisation, although all checks of one hang', async () => {
    const stuck: Asked[] = [];
    for (let each = 0; each < 10; each += 1) stuck.push(await ask(await aPaymentWithMoney()));
    const other = await ask(await aPaymentWithMoney(OTHER_ORGANISATION), OTHER_ORGANISATION);
    stage.refuseTransactions(true);
    for (const each of stuck) expect((await confirm(each, 0)).body.status).toBe('PENDING');
    const wallets = stuck.map(({ payment }) => payment.wallet.toLowerCase());
    const hanging = new Set<string>();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    stage.interceptNode(async (call) => {
      const text = JSON.stringify(call).toLowerCase();
      const wallet = wallets.find((each) => text.includes(each));
      if (wallet === undefined) return null;
      hanging.add(wallet);
      await released;
      return null;
    });
    try {
      await eventually(() => expect(hanging.size).toBeGreaterThanOrEqual(4));
      expect((await confirm(other, 0)).body.status).toBe('PENDING');
      const before = await checked();
      // Only the other organisation's can be done, one after the other.
      await eventually(async () => expect(await checked()).toBeGreaterThanOrEqual(before + 10));
    } finally {
      release();
      stage.refuseTransactions(false);
    }
  });
});

async function checked(): Promise<number> {
  const metrics = await stage.service().context.metrics.metrics();
  const [, rest] = metrics.split('due_worker_handled_total{worker="withdrawals",outcome="done"} ');
  return Number(rest?.split('\n')[0] ?? 0);
}

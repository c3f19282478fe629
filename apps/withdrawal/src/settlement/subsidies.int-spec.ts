import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import type { Address } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import {
  BETA_ETHER,
  ETHER,
  FEE_RECEIVER,
  RELAYER,
  USDC,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

/** Loops for about 100,000 gas, and accepts every payment. */
const BURNING = '0x62000f005b6001900380600457631626ba7e60e01b60005260206000f3';
const LOCK = `hashtextextended('subsidised-withdrawals:' || $1::text, 0)`;

const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stages: TwoChainStage;
let stage: Stage;
let burning: Address;

beforeAll(async () => {
  stages = await startTwoChainStage();
  ({ stage } = stages);
  burning = anAddress();
  for (const chain of [stage, stages.betanet]) await chain.setCode(burning, BURNING);
  // Its first unit of a token costs more gas than all later ones.
  await stage.fund(USDC, FEE_RECEIVER, 1n);
}, 120_000);
afterAll(() => stages.stop());

async function aRichPayment(): Promise<TestPayment> {
  const payment = aPayment(owner.address);
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await stage.fund(ETHER, payment.wallet, 10n ** 17n);
  await stage.fund(USDC, payment.wallet, 100_000_000n);
  return payment;
}

async function ask(
  { id }: TestPayment,
  recipient: Address,
  [token, amount]: [TokenIdentifier, string] = [ETHER, '0.01'],
): Promise<WithdrawResponse> {
  const { status, body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: id,
    token_amounts: [{ token, amount }],
    recipient_address: recipient,
  });
  expect(status).toBe(200);
  return body;
}

const confirm = async (answer: WithdrawResponse) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature: await signWithdrawal(answer, owner),
    polling_timeout: 30_000,
  });

const relayed = async () => {
  const address = RELAYER;
  const counts = await Promise.all(
    [stage, stages.betanet].map(({ client }) => client.getTransactionCount({ address })),
  );
  return counts.reduce((sum, count) => sum + count, 0);
};

const SUCCESS = { status: 200, body: { status: 'SUCCESS' } };

describe('withdrawals to a recipient that burns gas', () => {
  it('are submitted three times for a payment, then only where their fees repay the gas', async () => {
    const payment = await aRichPayment();
    // Requested before the first is submitted: the bound counts when they are.
    const [first, second, third, last] = [
      await ask(payment, burning),
      await ask(payment, burning),
      await ask(payment, burning),
      await ask(payment, burning),
    ];
    for (const answer of [first, second, third]) {
      expect(await confirm(answer)).toMatchObject(SUCCESS);
    }
    const before = await relayed();
    const message = expect.stringMatching(/needs more gas .* Submit the signed/) as unknown;
    expect(await confirm(last)).toMatchObject({ status: 400, body: { errors: [{ message }] } });
    expect(await relayed()).toBe(before);

    const signature = await signWithdrawal(last, owner);
    await stage.submitDirectly(payment, last.withdraw_authorization, signature);
    await eventually(async () => {
      const path = `/payments/withdraw/status?withdraw_id=${last.withdraw_id}`;
      expect((await stage.call<WithdrawalStatusResponse>(path)).body.status).toBe('SUCCESS');
    });

    expect(await confirm(await ask(payment, anAddress()))).toMatchObject(SUCCESS);
    expect(await confirm(await ask(payment, anAddress(), [USDC, '50']))).toMatchObject(SUCCESS);
  });

  it('are submitted three times though two chains have the last two at once', async () => {
    const payment = await aRichPayment();
    await stages.betanet.fund(BETA_ETHER, payment.wallet, 10n ** 17n);
    for (const count of [1, 2]) {
      expect({ count, ...(await confirm(await ask(payment, burning))) }).toMatchObject(SUCCESS);
    }
    const both = [
      await ask(payment, burning),
      await ask(payment, burning, [BETA_ETHER, '0.01']),
    ] as const;
    const before = await relayed();
    await stage.database.rows(`SELECT pg_advisory_lock(${LOCK})`, [payment.id]);
    const confirmed = Promise.all(both.map(confirm));
    await eventually(async () => {
      const waiting = await stage.database.rows(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`,
      );
      expect(waiting).toHaveLength(2);
    });
    await stage.database.rows(`SELECT pg_advisory_unlock(${LOCK})`, [payment.id]);
    const statuses = (await confirmed).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 503]);
    expect((await relayed()) - before).toBe(1);
  });
});

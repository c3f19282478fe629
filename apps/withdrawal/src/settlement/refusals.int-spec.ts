import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import type { Address, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { fillOrder, openOrder, refundToWallet } from '../testing/orders.fixture.js';
import type { OpenedOrder } from '../testing/orders.fixture.js';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import {
  BETA_USDC,
  ETHER,
  FEE_RECEIVER,
  RELAYER,
  USDC,
  USDT,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const AMOUNT = 40_000_000n;
/** Reverts without a reason. */
const REFUSING = '0x60006000fd';
/** Answers every call with false. */
const FALSE = '0x600060005260206000f3';
/** Accepts every signature (ERC-1271), except in transactions of the relayer. */
const REFUSING_THE_RELAYER: Hex = `0x73${RELAYER.slice(2)}3214602a57631626ba7e60e01b60005260206000f35b60006000fd`;

/** Accepts every signature (ERC-1271) in calls without a gas price, so in simulations only. */
const REFUSING_ON_CHAIN = '0x3a601457631626ba7e60e01b60005260206000f35b60006000fd';

/** Lock of a payment's submissions. */
const LOCK = `hashtextextended('subsidised-withdrawals:' || $1::text, 0)`;

const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;
let betanet: TwoChainStage['betanet'];
let attesters: TwoChainStage['attesters'];
let passTime: TwoChainStage['passTime'];
let stop: TwoChainStage['stop'];

beforeAll(async () => {
  ({ stage, betanet, attesters, passTime, stop } = await startTwoChainStage());
  // Its first unit of a token costs more gas than all later ones.
  await stage.fund(USDC, FEE_RECEIVER, 1n);
  await betanet.fund(BETA_USDC, FEE_RECEIVER, 1n);
}, 120_000);
afterAll(() => stop());

async function aPaymentWith(
  token: TokenIdentifier = USDC,
  amount = AMOUNT,
  ownedBy: string = owner.address,
): Promise<TestPayment> {
  const payment = aPayment(ownedBy);
  await stage.publish('payment', 'payment.expired', payment.id, payment.state);
  await stage.fund(token, payment.wallet, amount);
  return payment;
}

interface Asked {
  payment: TestPayment;
  answer: WithdrawResponse;
  signature: Hex;
}

async function signed(
  payment: TestPayment,
  { token = USDC, amount = '40', recipient = anAddress(), account = 'SPW' } = {},
): Promise<Asked> {
  const { status, body } = await stage.call<WithdrawResponse>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token, amount }],
    recipient_address: recipient,
    withdraw_account: account,
  });
  expect(status).toBe(200);
  return { payment, answer: body, signature: await signWithdrawal(body, owner) };
}

const confirm = ({ answer, signature }: Asked, polling_timeout = 30_000) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature,
    polling_timeout,
  });

const submitDirectly = ({ payment, answer, signature }: Asked, o: { isReported?: boolean } = {}) =>
  stage.submitDirectly(payment, answer.withdraw_authorization, signature, o);

const statusOf = async ({ answer }: Asked): Promise<WithdrawalStatusResponse> => {
  const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
  return (await stage.call<WithdrawalStatusResponse>(path)).body;
};

const expectStatus = (asked: Asked, expected: string) =>
  eventually(async () => {
    expect((await statusOf(asked)).status).toBe(expected);
  });

const relayed = () => stage.client.getTransactionCount({ address: RELAYER });

/** Expects a confirm that fails the withdrawal at once, for good, and without a transaction. */
async function expectFailed(asked: Asked, message: string): Promise<void> {
  const before = await relayed();
  const refused = { kind: 'other', message: expect.stringContaining(message) as unknown };
  // A client that does not wait learns it all the same.
  expect(await confirm(asked, 0)).toMatchObject({ status: 400, body: { errors: [refused] } });
  expect(await statusOf(asked)).toMatchObject({ status: 'FAILED', transaction_hash: null });
  expect(await confirm(asked)).toMatchObject({
    status: 400,
    body: { errors: [{ kind: 'other' }] },
  });
  expect(await relayed()).toBe(before);
}

async function contractOf(code: Hex): Promise<Address> {
  const address = anAddress();
  await stage.setCode(address, code);
  return address;
}

describe('a withdrawal from the wallet fails at its confirm', () => {
  it('when another one took the balance, and succeeds if it is executed all the same', async () => {
    const payment = await aPaymentWith();
    const late = await signed(payment);
    await submitDirectly(await signed(payment));
    await expectFailed(late, 'ERC20InsufficientBalance');
    await stage.fund(USDC, payment.wallet, AMOUNT);
    await submitDirectly(late);
    await expectStatus(late, 'SUCCESS');
    expect((await confirm(late)).status).toBe(409);
  });

  it('when the recipient refuses native currency', async () => {
    const payment = await aPaymentWith(ETHER, 10n ** 17n);
    const recipient = await contractOf(REFUSING);
    await expectFailed(
      await signed(payment, { token: ETHER, amount: '0.1', recipient }),
      'CallFailed',
    );
  });

  it.each([
    ['returns false', FALSE, 'TransferReturnedFalse'],
    ['reverts', REFUSING, 'CallFailed'],
  ] as const)('when the token %s', async (_what, code, error) => {
    const asked = await signed(await aPaymentWith(USDT), { token: USDT });
    const token = USDT.split(':')[1] as Address;
    const before = await stage.client.getCode({ address: token });
    await stage.setCode(token, code);
    try {
      await expectFailed(asked, error);
    } finally {
      await stage.setCode(token, before ?? '0x');
    }
    const again = await signed(asked.payment, { token: USDT });
    expect((await confirm(again)).body.status).toBe('SUCCESS');
  });
});

describe('a withdrawal from the wallet stays open', () => {
  it('when only its signature is refused on chain: it is signed again or submitted elsewhere', async () => {
    const payment = await aPaymentWith(USDC, AMOUNT, await contractOf(REFUSING_THE_RELAYER));
    const asked = await signed(payment);
    expect((await confirm(asked)).status).toBe(401);
    expect((await statusOf(asked)).status).toBe('PENDING');
    await submitDirectly(asked);
    await expectStatus(asked, 'SUCCESS');
  });

  it('when a third party was first, until the chain has confirmed that: then it is executed', async () => {
    const asked = await signed(await aPaymentWith());
    await submitDirectly(asked, { isReported: false });
    const before = await relayed();
    expect((await confirm(asked)).status).toBe(409);
    await expectStatus(asked, 'SUCCESS');
    expect(await relayed()).toBe(before);
  });

  it('until a transaction that may land has reverted, however often it is confirmed meanwhile', async () => {
    const payment = await aPaymentWith();
    const asked = await signed(payment);
    const rival = await signed(payment);
    stage.refuseTransactions(true);
    expect((await confirm(asked, 0)).body.status).toBe('PENDING');
    await submitDirectly(rival);
    expect((await confirm(asked, 0)).body.status).toBe('PENDING');
    expect((await statusOf(asked)).status).toBe('PENDING');
    stage.refuseTransactions(false);
    expect(await confirm(asked)).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'other', message: expect.stringContaining('reverted') }] },
    });
    expect((await statusOf(asked)).status).toBe('FAILED');
  });
});

describe('withdrawals whose transactions revert', () => {
  it('are submitted five times for a payment, then only by others', async () => {
    const payment = await aPaymentWith(USDC, AMOUNT, await contractOf(REFUSING_ON_CHAIN));
    const before = await relayed();
    for (let reverted = 0; reverted < 5; reverted++) {
      const asked = await signed(payment);
      expect(await confirm(asked)).toMatchObject({
        status: 400,
        body: { errors: [{ message: expect.stringContaining('reverted') as unknown }] },
      });
    }
    const last = await signed(payment);
    expect(await confirm(last)).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('Submit the signed') as unknown }] },
    });
    expect((await relayed()) - before).toBe(5);
    expect((await statusOf(last)).status).toBe('PENDING');
    await stage.setCode(payment.declaration.owner, '0x631626ba7e60e01b60005260206000f3');
    await submitDirectly(last);
    await expectStatus(last, 'SUCCESS');
  });
});

describe('withdrawals on two chains whose transactions revert', () => {
  /** Payment of which four withdrawals count as reverted; its owner refuses on both chains. */
  async function aPaymentWithFourReverts(): Promise<TestPayment> {
    const contract = await contractOf(REFUSING_ON_CHAIN);
    await betanet.setCode(contract, REFUSING_ON_CHAIN);
    const payment = await aPaymentWith(USDC, AMOUNT, contract);
    await betanet.fund(BETA_USDC, payment.wallet, AMOUNT);
    const reverted: string[] = [];
    for (let count = 0; count < 4; count++) {
      reverted.push((await signed(payment)).answer.withdraw_id);
    }
    await stage.database.rows(
      `UPDATE withdrawal.withdrawals SET submitted = true, submissions = 1, status = 'FAILED', due_at = NULL
       WHERE id = ANY ($1)`,
      [reverted],
    );
    return payment;
  }
  const relayedOnBoth = async () => {
    const address = RELAYER;
    const counts = [stage, betanet].map(({ client }) => client.getTransactionCount({ address }));
    const [one = 0, other = 0] = await Promise.all(counts);
    return one + other;
  };

  it('are submitted five times in sum though both are confirmed at once', async () => {
    const payment = await aPaymentWithFourReverts();
    const both = [await signed(payment), await signed(payment, { token: BETA_USDC })] as const;
    const before = await relayedOnBoth();
    await stage.database.rows(`SELECT pg_advisory_lock(${LOCK})`, [payment.id]);
    const confirmed = Promise.all(both.map((asked) => confirm(asked)));
    await eventually(async () => {
      const waiting = await stage.database.rows(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
           AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(waiting).toHaveLength(2);
    });
    await stage.database.rows(`SELECT pg_advisory_unlock(${LOCK})`, [payment.id]);
    const answers = JSON.stringify((await confirmed).map(({ body }) => body.errors));
    expect(answers).toContain('reverted');
    expect(answers).toContain('Submit the signed');
    expect((await relayedOnBoth()) - before).toBe(1);
  });

  it('wait for one that is in flight on the other chain, and are not submitted once it reverted', async () => {
    const payment = await aPaymentWithFourReverts();
    const [first, second] = [await signed(payment), await signed(payment, { token: BETA_USDC })];
    const before = await relayedOnBoth();
    stage.refuseTransactions(true);
    try {
      expect((await confirm(first, 0)).body.status).toBe('PENDING');
      expect((await confirm(second, 0)).status).toBe(503);
      expect((await statusOf(second)).status).toBe('PENDING');
    } finally {
      stage.refuseTransactions(false);
    }
    expect(await confirm(second)).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining('Submit the signed') as unknown }] },
    });
    expect(await statusOf(first)).toMatchObject({ status: 'FAILED' });
    expect((await relayedOnBoth()) - before).toBe(1);
  });
});

describe('a refund of an order fails at its confirm', () => {
  async function anExpiredOrder(): Promise<OpenedOrder> {
    const opened = await openOrder(stage, owner.address);
    const { id } = opened.payment;
    await stage.publish('payment', 'payment.failed', id, opened.state('OPEN'));
    await passTime(opened.order.expires);
    return opened;
  }
  const asked = ({ payment }: OpenedOrder) => signed(payment, { amount: '100', account: 'INTENT' });

  it('when anyone refunded the order to its wallet', async () => {
    const opened = await anExpiredOrder();
    const late = await asked(opened);
    await refundToWallet(stage, opened.order);
    expect(await confirm(late)).toMatchObject({
      status: 400,
      body: {
        errors: [{ kind: 'other', message: expect.stringContaining('another instruction') }],
      },
    });
    expect((await statusOf(late)).status).toBe('FAILED');
  });

  it('when attesters report the order as filled', async () => {
    const opened = await openOrder(stage, owner.address);
    const { id } = opened.payment;
    await stage.publish('payment', 'payment.failed', id, opened.state('OPEN'));
    await fillOrder(betanet, opened.order);
    await passTime(opened.order.fillDeadline + 1n);
    attesters.be('lying', 'lying', 'lying');
    const early = await asked(opened);
    attesters.be('honest', 'honest', 'honest');
    await expectFailed(early, 'filled');
  });

  it('when the token refuses the recipient', async () => {
    const opened = await anExpiredOrder();
    const late = await asked(opened);
    const token = USDC.split(':')[1] as Address;
    const before = await stage.client.getCode({ address: token });
    await stage.setCode(token, REFUSING);
    try {
      await expectFailed(late, 'the chain refuses it');
    } finally {
      await stage.setCode(token, before ?? '0x');
    }
    expect((await confirm(await asked(opened))).body.status).toBe('SUCCESS');
  });
});

describe('an executed withdrawal', () => {
  it('is refused again with 409 in both forms of the body, and never executed twice', async () => {
    const payment = await aPaymentWith(USDC, 2n * AMOUNT);
    const recipient = anAddress();
    const asked = await signed(payment, { recipient });
    expect((await confirm(asked)).body.status).toBe('SUCCESS');
    const before = await relayed();
    const byContent = (more: object = {}) =>
      stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
        payment_id: payment.id,
        token_amounts: [{ token: USDC, amount: '40.0' }],
        recipient_address: recipient,
        owner_signature: asked.signature,
        ...more,
      });
    const executed = {
      status: 409,
      body: { errors: [{ kind: 'other', message: 'The withdrawal was already executed.' }] },
    };
    expect(await confirm(asked)).toMatchObject(executed);
    expect(await byContent()).toMatchObject(executed);
    const payload = asked.answer.withdraw_authorization;
    expect(await byContent({ payload })).toMatchObject(executed);
    // Another withdrawal with the same content is open; the signature belongs to the executed one.
    const other = await signed(payment, { recipient });
    expect(await byContent()).toMatchObject(executed);
    const stranger = await signWithdrawal(asked.answer, privateKeyToAccount(generatePrivateKey()));
    expect((await byContent({ owner_signature: stranger })).status).toBe(401);
    expect(await relayed()).toBe(before);
    const confirmed = await byContent({ owner_signature: other.signature });
    expect(confirmed.body).toMatchObject({ withdraw_id: other.answer.withdraw_id });
  });

  it('is refused with 409 by its content also when a third party executed it', async () => {
    const payment = await aPaymentWith();
    const recipient = anAddress();
    const asked = await signed(payment, { recipient });
    await submitDirectly(asked);
    await expectStatus(asked, 'SUCCESS');
    const answer = await stage.call('/payments/withdraw/confirm', {
      payment_id: payment.id,
      token_amounts: [{ token: USDC, amount: '40' }],
      recipient_address: recipient,
      owner_signature: asked.signature,
    });
    expect(answer.status).toBe(409);
  });
});

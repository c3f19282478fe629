import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  BalancesResponse,
  ErrorBody,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { ORDER_STATUSES, intentEscrowAbi } from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { refundGas } from '@bascule/wallet-balances';
import { DataSource } from 'typeorm';
import { parseUnits } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import {
  ESCROW,
  ORDERED,
  fillOrder,
  fillOrderAt,
  instructionOf,
  openOrder,
  refundDirectly,
  refundToWallet,
} from '../../testing/orders.fixture.js';
import type { OpenedOrder } from '../../testing/orders.fixture.js';
import { aPayment } from '../../testing/payments.fixture.js';
import { startTwoChainStage } from '../../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../../testing/two-chain-stage.fixture.js';
import { FEE_RECEIVER, RELAYER, USDC, USDT } from '../../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;
let betanet: TwoChainStage['betanet'];
let attesters: TwoChainStage['attesters'];
let passTime: TwoChainStage['passTime'];
let stop: TwoChainStage['stop'];

beforeAll(async () => {
  ({ stage, betanet, attesters, passTime, stop } = await startTwoChainStage());
}, 120_000);
afterAll(() => stop());
beforeEach(() => {
  attesters.be('honest', 'honest', 'honest');
});

/** Reported by the payment's events. */
async function anOrder(): Promise<OpenedOrder> {
  const opened = await openOrder(stage, owner.address);
  await stage.publish('payment', 'payment.failed', opened.payment.id, opened.state('OPEN'));
  return opened;
}

async function anUnfilledOrder(): Promise<OpenedOrder> {
  const opened = await anOrder();
  await passTime(opened.order.fillDeadline + 1n);
  return opened;
}

const ask = ({ payment }: OpenedOrder, change: Record<string, unknown> = {}) =>
  stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token: USDC, amount: '100' }],
    recipient_address: anAddress(),
    withdraw_account: 'INTENT',
    ...change,
  });

const sign = ({ withdraw_authorization: message }: WithdrawResponse, account = owner) =>
  account.signMessage({ message });

const confirm = ({ state_token }: WithdrawResponse, signature: Hex, polling_timeout = 30_000) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token,
    signature,
    polling_timeout,
  });

/** The payment service reports the order's end. */
const isReportedAs = (status: 'REFUNDED', opened: OpenedOrder) =>
  stage.publish('payment', 'payment.failed', opened.payment.id, opened.state(status));

const hasStatus = ({ withdraw_id: id }: WithdrawResponse, status: string) =>
  eventually(async () => {
    const path = `/payments/withdraw/status?withdraw_id=${id}`;
    const { body } = await stage.call<WithdrawalStatusResponse>(path);
    expect(body.status).toBe(status);
    return body;
  });

async function balanceOf({ payment }: OpenedOrder) {
  const { body } = await stage.call<BalancesResponse>('/payments/balances', {
    payment_id: payment.id,
  });
  return body.balance_results.filter(({ withdraw_account: account }) => account === 'INTENT');
}

const statusOnChain = async ({ id }: OpenedOrder) =>
  ORDER_STATUSES[
    await stage.client.readContract({
      address: ESCROW,
      abi: intentEscrowAbi,
      functionName: 'statusOf',
      args: [id],
    })
  ];

const relayedTransactions = () => stage.client.getTransactionCount({ address: RELAYER });

describe('the money of an unfilled order', () => {
  it('is shown in the escrow and refunded to the owner’s recipient, less the fee', async () => {
    const opened = await anOrder();
    const [shown] = await eventually(async () => {
      const found = await balanceOf(opened);
      expect(found).toHaveLength(1);
      return found;
    });
    expect(shown).toMatchObject({
      address: ESCROW,
      token: USDC,
      account: 'intent',
      value: { kind: 'amount', amount: '100' },
    });
    await passTime(opened.order.fillDeadline + 1n);
    const recipient = anAddress();
    const collected = await stage.balance(USDC, FEE_RECEIVER);
    const { body: answer } = await ask(opened, { recipient_address: recipient });
    expect(answer).toMatchObject({ type: 'erc191', signature_type: 'EIP191' });
    expect(instructionOf(answer.withdraw_authorization, opened.order)).toMatchObject({ recipient });

    const { status, body } = await confirm(answer, await sign(answer));
    expect([status, body.status]).toEqual([200, 'SUCCESS']);
    const fee = (await stage.balance(USDC, FEE_RECEIVER)) - collected;
    expect(fee).toBeGreaterThan(0n);
    expect(await stage.balance(USDC, recipient)).toBe(ORDERED - fee);
    expect(await statusOnChain(opened)).toBe('REFUNDED');
    expect(await balanceOf(opened)).toEqual([]);

    const quoted = shown?.value.kind === 'amount' ? shown.value.withdrawal_fee : '0';
    expect(Math.abs(Number(fee) / Number(parseUnits(quoted, 6)) - 1)).toBeLessThan(0.3);
    const hash = body.transaction_hash as Hex;
    const { gasUsed } = await stage.client.getTransactionReceipt({ hash });
    const measured = Number(refundGas({ isAttested: false }));
    expect(Number(gasUsed)).toBeLessThanOrEqual(measured);
    expect(Number(gasUsed) / measured).toBeGreaterThan(0.85);
  });

  it('funds a retry in full by the one reduced fee of the chain of retries', async () => {
    const opened = await anUnfilledOrder();
    const { payment } = opened;
    const retry = aPayment(owner.address, { parent: payment.id });
    const next = aPayment(owner.address, { parent: retry.id });
    for (const { id, state } of [retry, next]) {
      await stage.publish('payment', 'payment.confirmed', id, state);
    }
    const { body } = await ask(opened, { recipient_address: retry.wallet });
    expect(instructionOf(body.withdraw_authorization, opened.order).fee).toBe(0n);
    await confirm(body, await sign(body));
    expect(await stage.balance(USDC, retry.wallet)).toBe(ORDERED);
    const change = { recipient_address: next.wallet, withdraw_account: 'SPW' };
    expect(await ask({ ...opened, payment: retry }, change)).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'amount', reason: 'NO_VALID_AMOUNT' }] },
    });
  });

  it('pays the full fee where it leaves a retry short in any case', async () => {
    const opened = await anUnfilledOrder();
    const { id, wallet, state } = aPayment(owner.address, { parent: opened.payment.id });
    const required_deposit = { token: USDC, amount: (ORDERED + 1n).toString() };
    await stage.publish('payment', 'payment.confirmed', id, { ...state, required_deposit });
    const { body } = await ask(opened, { recipient_address: wallet });
    const { fee } = instructionOf(body.withdraw_authorization, opened.order);
    expect(fee).toBeGreaterThan(0n);
    await confirm(body, await sign(body));
    expect(await stage.balance(USDC, wallet)).toBe(ORDERED - fee);
  });

  it('is refunded once for repeated and concurrent confirms', async () => {
    const { body: answer } = await ask(await anUnfilledOrder());
    const signature = await sign(answer);
    const before = await relayedTransactions();
    const confirmed = await Promise.all([1, 2, 3].map(() => confirm(answer, signature)));
    expect(confirmed.map(({ body }) => body.status)).toEqual(['SUCCESS', 'SUCCESS', 'SUCCESS']);
    expect((await confirm(answer, signature)).status).toBe(409);
    expect((await relayedTransactions()) - before).toBe(1);
  });

  it('is refunded without attesters once the order has expired', async () => {
    const opened = await anOrder();
    await passTime(opened.order.expires);
    attesters.be('silent', 'silent', 'silent');
    const { body: answer } = await ask(opened);
    const { body } = await confirm(answer, await sign(answer));
    expect(body.status).toBe('SUCCESS');
    const hash = body.transaction_hash as Hex;
    const { gasUsed } = await stage.client.getTransactionReceipt({ hash });
    const measured = Number(refundGas({ isAttested: true }));
    expect(Number(gasUsed)).toBeLessThanOrEqual(measured);
    expect(Number(gasUsed) / measured).toBeGreaterThan(0.85);
  });

  it('is refunded for a confirm in the form of older clients', async () => {
    const opened = await anUnfilledOrder();
    const recipient = anAddress();
    const { body: answer } = await ask(opened, { recipient_address: recipient });
    const content = {
      payment_id: opened.payment.id,
      token_amounts: [{ token: USDC, amount: '100.0' }],
      recipient_address: recipient,
      owner_signature: await sign(answer),
      polling_timeout: 30_000,
    };
    const confirmed = (more: object) =>
      stage.call<WithdrawalStatusResponse>('/payments/withdraw/confirm', { ...content, ...more });
    expect((await confirmed({})).status).toBe(404);
    expect((await confirmed({ withdraw_account: 'INTENT', payload: 'else' })).status).toBe(404);
    const payload = answer.withdraw_authorization;
    const { body } = await confirmed({ withdraw_account: 'INTENT', payload });
    expect(body).toMatchObject({ status: 'SUCCESS', withdraw_id: answer.withdraw_id });
  });

  it('is published with the order in the withdrawal’s events', async () => {
    const opened = await anUnfilledOrder();
    const { body: answer } = await ask(opened);
    await confirm(answer, await sign(answer));
    await eventually(async () => {
      const rows: { type: string; data: object }[] = await stage
        .service()
        .app.get(DataSource)
        .query(
          `SELECT e->>'type' AS type, e->'data' AS data FROM event_log.records,
             LATERAL (SELECT convert_from(value, 'UTF8')::json AS e) AS envelope
           WHERE topic = 'bascule.withdrawal' AND key = $1
             AND e->>'type' <> 'withdrawal.broadcast' ORDER BY "offset"`,
          [answer.withdraw_id],
        );
      expect(rows.map(({ type }) => type)).toEqual([
        'withdrawal.requested',
        'withdrawal.submitted',
        'withdrawal.succeeded',
      ]);
      for (const { data } of rows) {
        expect(data).toMatchObject({ order_id: opened.id, withdraw_account: 'INTENT' });
      }
    });
  });
});

describe('a refund', () => {
  it('succeeds when a third party submits it', async () => {
    const opened = await anOrder();
    await passTime(opened.order.expires);
    const { body: answer } = await ask(opened);
    const signature = await sign(answer);
    const instruction = instructionOf(answer.withdraw_authorization, opened.order);
    const { transactionHash } = await refundDirectly(stage, opened.order, instruction, signature);
    await isReportedAs('REFUNDED', opened);
    const { transaction_hash: hash } = await hasStatus(answer, 'SUCCESS');
    expect(hash).toBe(transactionHash);
    expect((await confirm(answer, signature)).status).toBe(409);
  });

  it('fails when another signed instruction refunded the order', async () => {
    const opened = await anOrder();
    await passTime(opened.order.expires);
    const { body: first } = await ask(opened);
    const { body: second } = await ask(opened);
    stage.refuseTransactions(true);
    const waiting = confirm(first, await sign(first), 60_000);
    const instruction = instructionOf(second.withdraw_authorization, opened.order);
    await refundDirectly(stage, opened.order, instruction, await sign(second));
    await isReportedAs('REFUNDED', opened);
    stage.refuseTransactions(false);
    expect((await waiting).status).toBeGreaterThanOrEqual(400);
    await hasStatus(second, 'SUCCESS');
    await hasStatus(first, 'FAILED');
    expect((await ask(opened)).status).toBe(409);
  });

  it('is settled though a node invented the block that its search starts at', async () => {
    const { body: answer } = await ask(await anUnfilledOrder());
    await stage.database.rows('UPDATE withdrawals SET from_block = 1e12 WHERE id = $1', [
      answer.withdraw_id,
    ]);
    expect((await confirm(answer, await sign(answer))).body.status).toBe('SUCCESS');
  });

  it('is executed once when the process stops between recording and sending it', async () => {
    const opened = await anUnfilledOrder();
    const recipient = anAddress();
    const { body: answer } = await ask(opened, { recipient_address: recipient });
    stage.refuseTransactions(true);
    expect((await confirm(answer, await sign(answer), 0)).body.status).toBe('PENDING');
    await stage.restart();
    expect(await stage.balance(USDC, recipient)).toBe(0n);
    stage.refuseTransactions(false);
    await hasStatus(answer, 'SUCCESS');
    expect(await stage.balance(USDC, recipient)).toBeGreaterThan(0n);
  });

  it('expires when a later block does not contain it, and is then refused by the escrow', async () => {
    const opened = await anUnfilledOrder();
    const { body: submitted } = await ask(opened);
    const { body: unsigned } = await ask(opened);
    stage.refuseTransactions(true);
    const signature = await sign(submitted);
    expect((await confirm(submitted, signature, 0)).body.status).toBe('PENDING');
    const instruction = instructionOf(unsigned.withdraw_authorization, opened.order);
    await passTime(instruction.validUntil + 1n);
    await hasStatus(submitted, 'EXPIRED');
    await stage.letExpire([unsigned.withdraw_id]);
    await hasStatus(unsigned, 'EXPIRED');
    stage.refuseTransactions(false);
    expect((await confirm(unsigned, await sign(unsigned))).status).toBe(400);
    const dead = instructionOf(submitted.withdraw_authorization, opened.order);
    await expect(refundDirectly(stage, opened.order, dead, signature)).rejects.toThrow();
    expect(await statusOnChain(opened)).toBe('OPEN');
    const { body: again } = await ask(opened);
    expect((await confirm(again, await sign(again))).body.status).toBe('SUCCESS');
  });
});

describe('a refund of an order that anyone refunded to its wallet', () => {
  it('fails, signed or not, and the money is withdrawn from the wallet instead', async () => {
    const opened = await anOrder();
    await passTime(opened.order.expires);
    const { body: signed } = await ask(opened);
    const { body: unsigned } = await ask(opened);
    stage.refuseTransactions(true);
    expect((await confirm(signed, await sign(signed), 0)).body.status).toBe('PENDING');
    await refundToWallet(stage, opened.order);
    await isReportedAs('REFUNDED', opened);
    stage.refuseTransactions(false);
    await hasStatus(signed, 'FAILED');
    await hasStatus(unsigned, 'FAILED');
    expect((await confirm(unsigned, await sign(unsigned))).status).toBe(400);
    expect((await ask(opened)).status).toBe(409);

    const { body: balances } = await stage.call<BalancesResponse>('/payments/balances', {
      payment_id: opened.payment.id,
    });
    const held = balances.balance_results.filter(
      ({ value }) => value.kind === 'amount' && value.amount !== '0',
    );
    expect(held).toMatchObject([{ token: USDC, account: 'spw', value: { amount: '100' } }]);
    const recipient = anAddress();
    const { body: again } = await ask(opened, {
      withdraw_account: 'SPW',
      recipient_address: recipient,
    });
    const typedData = JSON.parse(again.withdraw_authorization) as Parameters<
      typeof owner.signTypedData
    >[0];
    const signature = await owner.signTypedData(typedData);
    expect((await confirm(again, signature)).body.status).toBe('SUCCESS');
    expect(await stage.balance(USDC, recipient)).toBeGreaterThan(ORDERED / 2n);
  });
});

describe('a refund is refused', () => {
  it('with 400 and the earliest time while the order may be filled', async () => {
    const opened = await anOrder();
    const { status, body } = await eventually(async () => {
      const answer = await ask(opened);
      expect(JSON.stringify(answer.body)).toContain('may still be filled');
      return answer;
    });
    const from = new Date(Number(opened.order.fillDeadline + 1n) * 1_000).toISOString();
    expect(status).toBe(400);
    expect(JSON.stringify(body.errors)).toContain(from);
  });

  it.each(['99', '100.000001', '0.1'])('with 400 for %s of an order of 100', async (amount) => {
    const answer = await ask(await anUnfilledOrder(), { token_amounts: [{ token: USDC, amount }] });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'amount', limits: { min: '100', max: '100' } }] },
    });
  });

  it('with 400 for another account or token, and for recipients that would lose the money', async () => {
    const opened = await anUnfilledOrder();
    const refused = await Promise.all([
      ask(opened, { withdraw_account: 'RDW' }),
      ask(opened, { token_amounts: [{ token: USDT, amount: '100' }] }),
      ask(opened, { recipient_address: ESCROW }),
      ask(opened, { recipient_address: opened.payment.wallet }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
  });

  it('with 401 when the owner did not sign it, and can be signed again', async () => {
    const { body: answer } = await ask(await anUnfilledOrder());
    const stranger = privateKeyToAccount(generatePrivateKey());
    expect((await confirm(answer, await sign(answer, stranger))).status).toBe(401);
    expect((await confirm(answer, await sign(answer))).body.status).toBe('SUCCESS');
  });

  it('with 503 and the time of expiry while too few attesters answer', async () => {
    const other = await anUnfilledOrder();
    const opened = await anUnfilledOrder();
    const { body: early } = await ask(opened);
    attesters.be('honest', 'silent', 'silent');
    const { status, body } = await ask(other);
    expect(status).toBe(503);
    const expires = new Date(Number(other.order.expires) * 1_000).toISOString();
    expect(JSON.stringify(body)).toContain(expires);
    // Signatures of the earlier request count as soon as one attester answers.
    attesters.be('silent', 'silent', 'silent');
    expect((await confirm(early, await sign(early))).status).toBe(503);
    expect(await statusOnChain(opened)).toBe('OPEN');
    const metrics = await fetch(`${stage.service().operationsUrl}/metrics`);
    expect(await metrics.text()).toMatch(/withdrawals_attestations_missing_total [1-9]/);
    attesters.be('honest', 'honest', 'honest');
    expect((await confirm(early, await sign(early))).body.status).toBe('SUCCESS');
  });
});

describe('an expired order without an attestation', () => {
  it('is refunded only after a destination block past its fill deadline', async () => {
    const opened = await anOrder();
    await stage.passTime(opened.order.expires);
    attesters.be('silent', 'silent', 'silent');
    expect((await ask(opened)).status).toBe(503);
    await betanet.passTime(opened.order.fillDeadline + 1n);
    const { body: answer } = await ask(opened);
    const signature = await sign(answer);

    await stage.restart({ RPC_URLS_BETANET: 'http://127.0.0.1:9' });
    expect((await ask(opened)).status).toBe(503);
    expect((await confirm(answer, signature)).status).toBe(503);
    expect(await statusOnChain(opened)).toBe('OPEN');
    await stage.restart();
    expect((await confirm(answer, signature)).body.status).toBe('SUCCESS');
  });
});

describe('an order that was filled', () => {
  it('is not refunded when one attester reports it as unfilled', async () => {
    const opened = await anOrder();
    expect(await balanceOf(opened)).toHaveLength(1);
    await fillOrder(betanet, opened.order);
    expect(await balanceOf(opened)).toEqual([]);
    await passTime(opened.order.fillDeadline + 1n);
    attesters.be('lying', 'silent', 'honest');
    expect((await ask(opened)).status).toBe(400);
    attesters.be('lying', 'honest', 'honest');
    expect(await ask(opened)).toMatchObject({ status: 400, body: { errors: [{ kind: 'other' }] } });
    await passTime(opened.order.expires);
    expect((await ask(opened)).status).toBe(400);
    expect(await statusOnChain(opened)).toBe('OPEN');
  });

  it('is not refunded when it has expired and no attester answers', async () => {
    const opened = await anOrder();
    const asFilled = { status: 400, body: { errors: [{ kind: 'other' }] } };
    await fillOrder(betanet, opened.order);
    await passTime(opened.order.fillDeadline + 1n);
    attesters.be('lying', 'lying', 'lying');
    const { body: early } = await ask(opened);
    const signature = await sign(early);

    await passTime(opened.order.expires);
    attesters.be('silent', 'silent', 'silent');
    expect(await ask(opened)).toMatchObject(asFilled);
    expect(await confirm(early, signature)).toMatchObject(asFilled);
    expect(await statusOnChain(opened)).toBe('OPEN');
  });
});

describe('an order whose refund is requested right after the deadline', () => {
  it.each([
    ['in the last block of the window', 0n, { filled: true, refunded: false }],
    ['one second too late', 1n, { filled: false, refunded: true }],
  ])('is either filled or refunded when it is filled %s', async (_, late, outcome) => {
    const opened = await anOrder();
    const { fillDeadline } = opened.order;
    await stage.passTime(fillDeadline + 1n);
    const [filled, early] = await Promise.all([
      fillOrderAt(betanet, opened.order, fillDeadline + late),
      ask(opened),
    ]);
    if (filled) expect(early.status).not.toBe(200);
    await betanet.passTime(fillDeadline + 1n);
    const { status, body } = await eventually(async () => {
      const answer = await ask(opened);
      expect(answer.status).not.toBe(503);
      return answer;
    });
    const refunded =
      status === 200 && (await confirm(body, await sign(body))).body.status === 'SUCCESS';
    expect({ filled, refunded }).toEqual(outcome);
    expect(await statusOnChain(opened)).toBe(refunded ? 'REFUNDED' : 'OPEN');
  });
});

describe('an order', () => {
  it('is shown in the escrow before its event arrives, until it is filled', async () => {
    const opened = await openOrder(stage, owner.address);
    const { id } = opened.payment;
    await stage.publish('payment', 'payment.updated', id, opened.payment.state);
    await eventually(async () => {
      expect(await balanceOf(opened)).toMatchObject([
        { address: ESCROW, token: USDC, value: { kind: 'amount', amount: '100' } },
      ]);
    });
    await fillOrder(betanet, opened.order);
    expect(await balanceOf(opened)).toEqual([]);
  });
});

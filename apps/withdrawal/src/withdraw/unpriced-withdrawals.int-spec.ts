import type {
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { openOrder, refundToWallet } from '../testing/orders.fixture.js';
import type { OpenedOrder } from '../testing/orders.fixture.js';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import { ETHER, FEE_RECEIVER, RELAYER, USDC, WBTC } from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());

let stage: Stage;
let passTime: TwoChainStage['passTime'];
let stop: TwoChainStage['stop'];

beforeAll(async () => {
  ({ stage, passTime, stop } = await startTwoChainStage({ unpriced: [ETHER] }));
}, 120_000);
afterAll(() => stop());

async function aPaymentHolding(
  held: readonly [TokenIdentifier, bigint][],
  parent?: TestPayment,
): Promise<TestPayment> {
  const change = { status: 'FAILED', ...(parent && { parent: parent.id }) } as const;
  const payment = aPayment(owner.address, change);
  await stage.publish('payment', 'payment.failed', payment.id, payment.state);
  for (const [token, amount] of held) await stage.fund(token, payment.wallet, amount);
  return payment;
}

async function anUnfilledOrder(): Promise<OpenedOrder> {
  const opened = await openOrder(stage, owner.address);
  await stage.publish('payment', 'payment.failed', opened.payment.id, opened.state('OPEN'));
  await passTime(opened.order.fillDeadline + 1n);
  return opened;
}

async function priceEther(): Promise<void> {
  await stage.publishPrice(ETHER, '3000');
  await eventually(async () => {
    const priced = `SELECT usd FROM prices WHERE asset = '${ETHER}'`;
    expect(await stage.database.rows(priced)).toHaveLength(1);
  });
}

const ask = (
  payment: TestPayment,
  amounts: readonly [TokenIdentifier, string][],
  account: 'SPW' | 'INTENT' = 'SPW',
) =>
  stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: amounts.map(([token, amount]) => ({ token, amount })),
    recipient_address: owner.address,
    withdraw_account: account,
  });

const confirm = async (answer: WithdrawResponse) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature: await signWithdrawal(answer, owner),
    polling_timeout: 30_000,
  });

/** Withdraws to the owner; returns the fee that was collected in the token. */
async function feeOf(token: TokenIdentifier, ...asked: Parameters<typeof ask>): Promise<bigint> {
  const before = await stage.balance(token, FEE_RECEIVER);
  const { body } = await ask(...asked);
  expect((await confirm(body)).body).toMatchObject({ status: 'SUCCESS' });
  return (await stage.balance(token, FEE_RECEIVER)) - before;
}

const refusal = (message: RegExp) => ({
  status: 400,
  body: { errors: [{ kind: 'other', message: expect.stringMatching(message) as unknown }] },
});
const used = (token: string, remedy: string) =>
  refusal(new RegExp(`one reduced fee, and it is used.*gas into ${token}.*${remedy}`));

describe('a withdrawal while the native currency has no price', () => {
  it('is free once, and then needs native currency, which pays', async () => {
    const payment = await aPaymentHolding([
      [USDC, 30_000_000n],
      [ETHER, 10n ** 16n],
    ]);
    expect(await feeOf(USDC, payment, [[USDC, '10']])).toBe(0n);
    expect(await ask(payment, [[USDC, '10']])).toMatchObject(used('USDC', 'such as ETH'));
    const together: [TokenIdentifier, string][] = [
      [USDC, '20'],
      [ETHER, '0.01'],
    ];
    expect(await feeOf(ETHER, payment, together)).toBeGreaterThan(0n);
  });

  it('takes the reduced fee of its whole chain of retries', async () => {
    const parent = await aPaymentHolding([[USDC, 10_000_000n]]);
    const child = await aPaymentHolding([[USDC, 10_000_000n]], parent);
    expect(await feeOf(USDC, child, [[USDC, '10']])).toBe(0n);
    expect(await ask(parent, [[USDC, '10']])).toMatchObject(used('USDC', 'wait for a price'));
  });

  it('uses nothing up when it expires unsigned', async () => {
    const payment = await aPaymentHolding([[USDC, 10_000_000n]]);
    const { body } = await ask(payment, [[USDC, '10']]);
    await passTime((await stage.now()) + 3_600n);
    await stage.letExpire([body.withdraw_id]);
    await eventually(async () => {
      const path = `/payments/withdraw/status?withdraw_id=${body.withdraw_id}`;
      expect((await stage.call(path)).body).toMatchObject({ status: 'EXPIRED' });
    });
    expect(await feeOf(USDC, payment, [[USDC, '10']])).toBe(0n);
  });

  it('is free once from the escrow, and then not from the wallet', async () => {
    const { payment } = await anUnfilledOrder();
    await stage.fund(USDC, payment.wallet, 10_000_000n);
    expect(await feeOf(USDC, payment, [[USDC, '100']], 'INTENT')).toBe(0n);
    expect(await ask(payment, [[USDC, '10']])).toMatchObject(used('USDC', 'such as ETH'));
  });

  it('is free once from the wallet, and an order then needs to be in the wallet', async () => {
    const { payment, order } = await anUnfilledOrder();
    await stage.fund(USDC, payment.wallet, 10_000_000n);
    expect(await feeOf(USDC, payment, [[USDC, '10']])).toBe(0n);
    const expiry = new Date(Number(order.expires) * 1_000).toISOString();
    expect(await ask(payment, [[USDC, '100']], 'INTENT')).toMatchObject(
      used('USDC', `refundToWallet of the escrow after ${expiry}.*with ETH`),
    );
    await passTime(order.expires);
    await refundToWallet(stage, order);
    await stage.fund(ETHER, payment.wallet, 10n ** 16n);
    const together: [TokenIdentifier, string][] = [
      [USDC, '100'],
      [ETHER, '0.01'],
    ];
    expect(await feeOf(ETHER, payment, together)).toBeGreaterThan(0n);
  });

  it('pays its fee once the price is known', async () => {
    const payment = await aPaymentHolding([[USDC, 50_000_000n]]);
    expect(await feeOf(USDC, payment, [[USDC, '10']])).toBe(0n);
    await priceEther();
    expect(await feeOf(USDC, payment, [[USDC, '40']])).toBeGreaterThan(0n);
  });
});

describe('a withdrawal of a token without a price', () => {
  beforeAll(priceEther);

  it('is free once, and then needs a token that pays', async () => {
    const payment = await aPaymentHolding([
      [WBTC, 30n],
      [USDC, 40_000_000n],
    ]);
    expect(await feeOf(WBTC, payment, [[WBTC, '0.0000001']])).toBe(0n);
    expect(await ask(payment, [[WBTC, '0.0000001']])).toMatchObject(used('WBTC', 'such as ETH'));
    const together: [TokenIdentifier, string][] = [
      [WBTC, '0.0000002'],
      [USDC, '40'],
    ];
    expect(await feeOf(USDC, payment, together)).toBeGreaterThan(0n);
    expect(await stage.balance(WBTC, payment.wallet)).toBe(0n);
  });

  it('is submitted once when two are signed at once', async () => {
    const payment = await aPaymentHolding([[WBTC, 20n]]);
    const amounts: [TokenIdentifier, string][] = [[WBTC, '0.0000001']];
    const asked = await Promise.all([ask(payment, amounts), ask(payment, amounts)]);
    const sent = await stage.client.getTransactionCount({ address: RELAYER });
    const confirmed = await Promise.all(asked.map(({ body }) => confirm(body)));
    expect(confirmed.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(confirmed.find(({ status }) => status === 400)).toMatchObject(refusal(/reduced fee/));
    expect((await stage.client.getTransactionCount({ address: RELAYER })) - sent).toBe(1);
    expect(await stage.balance(WBTC, payment.wallet)).toBe(10n);
  });
});

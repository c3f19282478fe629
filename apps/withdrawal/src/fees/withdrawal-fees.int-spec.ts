import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BalancesResponse,
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import { furtherTokenGas, withdrawalGas } from '@bascule/wallet-balances';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import type { Hex } from 'viem';
import { aPayment } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import {
  ETHER,
  FEE_RECEIVER,
  USDC,
  USDT,
  WBTC,
  startStage,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

let stage: Stage;
const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

beforeAll(async () => {
  stage = await startStage();
}, 120_000);
afterAll(() => stage.stop());

async function aPaymentHolding(...held: [TokenIdentifier, bigint][]): Promise<TestPayment> {
  const payment = aPayment(owner.address, { status: 'FAILED' });
  await stage.publish('payment', 'payment.updated', payment.id, payment.state);
  for (const [token, amount] of held) await stage.fund(token, payment.wallet, amount);
  return payment;
}

async function feesOf(payment: TestPayment): Promise<Map<string, string>> {
  const { body } = await stage.call<BalancesResponse>('/payments/balances', {
    payment_id: payment.id,
  });
  return new Map(
    body.balance_results.flatMap(({ token, value }) =>
      value.kind === 'amount' ? [[token, value.withdrawal_fee] as const] : [],
    ),
  );
}

const ask = (payment: TestPayment, recipient: string, ...amounts: [TokenIdentifier, string][]) =>
  stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: amounts.map(([token, amount]) => ({ token, amount })),
    recipient_address: recipient,
  });

/** Signs and settles the withdrawal; returns the gas used. */
async function settle(answer: WithdrawResponse): Promise<bigint> {
  const { domain, types, primaryType, message } = JSON.parse(
    answer.withdraw_authorization,
  ) as Parameters<typeof owner.signTypedData>[0];
  const { EIP712Domain: _, ...own } = types as Record<string, never>;
  const signature = await owner.signTypedData({ domain, types: own, primaryType, message });
  const { body } = await stage.call<WithdrawalStatusResponse>('/payments/withdraw/confirm', {
    state_token: answer.state_token,
    signature,
    polling_timeout: 30_000,
  });
  expect(body.status).toBe('SUCCESS');
  const hash = body.transaction_hash as Hex;
  return (await stage.client.getTransactionReceipt({ hash })).gasUsed;
}

describe('the fee of a withdrawal', () => {
  it('charges the shared cost once and covers the gas', async () => {
    const payment = await aPaymentHolding(
      [USDT, 30_000_000n],
      [ETHER, 10n ** 16n],
      [USDC, 40_000_000n],
    );
    const apart = await feesOf(payment);
    const before = await Promise.all(
      [USDT, ETHER, USDC].map((token) => stage.balance(token, FEE_RECEIVER)),
    );
    const { body } = await ask(payment, anAddress(), [USDT, '30'], [ETHER, '0.01'], [USDC, '40']);
    const gasUsed = Number(await settle(body));
    const [usdt = 0, ether = 0, usdc = 0] = await Promise.all(
      [USDT, ETHER, USDC].map(async (token, index) =>
        Number((await stage.balance(token, FEE_RECEIVER)) - (before[index] ?? 0n)),
      ),
    );
    const charged =
      withdrawalGas({ isNative: false, isDeployed: false }) +
      furtherTokenGas({ isNative: false }) +
      furtherTokenGas({ isNative: true });
    expect(gasUsed).toBeLessThanOrEqual(Number(charged));
    expect(gasUsed / Number(charged)).toBeGreaterThan(0.9);
    expect(usdt / 1e6).toBeLessThan(Number(apart.get(USDT)) / 2);
    expect(ether / 1e18).toBeLessThan(Number(apart.get(ETHER)) / 2);
    expect(usdc / 1e6 / Number(apart.get(USDC))).toBeGreaterThan(0.7);
  });

  it('is zero for a token without a price', async () => {
    const payment = await aPaymentHolding([WBTC, 5n]);
    expect((await feesOf(payment)).get(WBTC)).toBe('0');
    const recipient = anAddress();
    const { body } = await ask(payment, recipient, [WBTC, '0.00000005']);
    await settle(body);
    expect(await stage.balance(WBTC, recipient)).toBe(5n);
  });

  it('is zero for a transfer to a retry that was just confirmed', async () => {
    const failed = await aPaymentHolding([USDC, 100_000_000n]);
    await feesOf(failed);
    const retry = aPayment(owner.address, { parent: failed.id, status: 'PENDING' });
    const asked = ask(failed, retry.wallet, [USDC, '100']);
    await stage.publish('payment', 'payment.confirmed', retry.id, retry.state);
    await settle((await asked).body);
    expect(await stage.balance(USDC, retry.wallet)).toBe(100_000_000n);
  });
});

describe('a recipient', () => {
  it.each([
    ['whose checksum is broken', '0x70997970c51812dc3A010C7d01b50e0d17dc79C8'],
    ['that is a precompile', '0x0000000000000000000000000000000000000002'],
  ])('%s is refused', async (_what, recipient) => {
    const payment = await aPaymentHolding([USDC, 40_000_000n]);
    expect(await ask(payment, recipient, [USDC, '40'])).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'destination' }] },
    });
  });
});

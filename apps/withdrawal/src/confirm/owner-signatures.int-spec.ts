import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  BalancesResponse,
  ErrorBody,
  TokenIdentifier,
  WithdrawResponse,
  WithdrawalStatusResponse,
} from '@bascule/contracts';
import {
  deployAccountFactory,
  deployCode,
  eventually,
  REFUSING_ACCOUNT_CODE,
} from '@bascule/testing';
import type { AccountFactory } from '@bascule/testing';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { ESCROW, fillOrder, openOrder } from '../testing/orders.fixture.js';
import { aPayment, bridgingLegs } from '../testing/payments.fixture.js';
import type { TestPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import {
  BETA_ETHER,
  BETA_USDC,
  BETA_USDT,
  RELAYER,
  USDC,
  USDT,
} from '../testing/withdrawal-stage.fixture.js';
import type { Stage } from '../testing/withdrawal-stage.fixture.js';

/** Accepts every signature, after using five million units of gas. */
const EXPENSIVE_OWNER = '0x620300005b6001900380600457631626ba7e60e01b60005260206000f3';

const aKey = () => privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());

let stage: Stage;
let betanet: TwoChainStage['betanet'];
let passTime: TwoChainStage['passTime'];
let stop: TwoChainStage['stop'];
let factory: AccountFactory;

beforeAll(async () => {
  ({ stage, betanet, passTime, stop } = await startTwoChainStage());
  factory = await deployAccountFactory(stage.rpcUrl);
}, 120_000);
afterAll(() => stop());

type Account = 'SPW' | 'INTENT';

const ask = (
  payment: TestPayment,
  amount: string,
  { account = 'SPW', token = USDC }: { account?: Account; token?: TokenIdentifier } = {},
) =>
  stage.call<WithdrawResponse & ErrorBody>('/payments/withdraw', {
    payment_id: payment.id,
    token_amounts: [{ token, amount }],
    recipient_address: anAddress(),
    withdraw_account: account,
  });

const confirm = ({ state_token }: WithdrawResponse, signature: Hex) =>
  stage.call<WithdrawalStatusResponse & ErrorBody>('/payments/withdraw/confirm', {
    state_token,
    signature,
    polling_timeout: 30_000,
  });

/** A failed payment of an owner, with 100 USDC in the account. */
async function aPaymentOf(owner: string, account: Account): Promise<TestPayment> {
  if (account === 'INTENT') {
    const { payment, order, state } = await openOrder(stage, owner);
    await stage.publish('payment', 'payment.failed', payment.id, state('UNFILLED'));
    await passTime(order.fillDeadline + 1n);
    return payment;
  }
  const payment = aPayment(owner, { status: 'FAILED' });
  await stage.publish('payment', 'payment.failed', payment.id, payment.state);
  await stage.fund(USDC, payment.wallet, 100_000_000n);
  return payment;
}

/** Submitted by a third party. */
async function minedBy(payment: TestPayment, answer: WithdrawResponse) {
  await stage.submitDirectly(payment, answer.withdraw_authorization, '0x1234');
  return eventually(async () => {
    const path = `/payments/withdraw/status?withdraw_id=${answer.withdraw_id}`;
    const { body } = await stage.call<WithdrawalStatusResponse>(path);
    expect(body.status).toBe('SUCCESS');
    return body;
  });
}

const relayedTransactions = () => stage.client.getTransactionCount({ address: RELAYER });

describe.each<Account>(['SPW', 'INTENT'])('money under %s', (account) => {
  it('is withdrawn by an owner that is a contract (ERC-1271)', async () => {
    const key = aKey();
    await factory.deploy(key.address);
    const payment = await aPaymentOf(await factory.accountOf(key.address), account);
    const { body: answer } = await ask(payment, '100', { account });
    expect((await confirm(answer, await signWithdrawal(answer, aKey()))).status).toBe(401);
    expect((await confirm(answer, await signWithdrawal(answer, key))).body.status).toBe('SUCCESS');
  });

  it('is withdrawn by an owner that is not deployed yet, in one transaction (ERC-6492)', async () => {
    const key = aKey();
    const owner = await factory.accountOf(key.address);
    const payment = await aPaymentOf(owner, account);
    const { body: answer } = await ask(payment, '100', { account });
    const stranger = aKey();
    const forged = factory.undeployed(key, await signWithdrawal(answer, stranger));
    expect((await confirm(answer, forged)).status).toBe(401);
    const strangers = factory.undeployed(stranger, await signWithdrawal(answer, stranger));
    expect((await confirm(answer, strangers)).status).toBe(401);
    const before = await relayedTransactions();
    const signature = factory.undeployed(key, await signWithdrawal(answer, key));
    const { body } = await confirm(answer, signature);
    expect(body.status).toBe('SUCCESS');
    expect((await relayedTransactions()) - before).toBe(1);
    expect(await stage.client.getCode({ address: owner })).toBeDefined();
    expect(await stage.balance(USDC, account === 'SPW' ? payment.wallet : owner)).toBe(0n);
  });

  it('is withdrawn by a key that delegates to a refusing contract (EIP-7702)', async () => {
    const key = aKey();
    await stage.fund('alphanet:0x', key.address, 10n ** 17n);
    const code = await deployCode(stage.rpcUrl, REFUSING_ACCOUNT_CODE);
    const authorization = await stage.client.signAuthorization({
      account: key,
      contractAddress: code,
    });
    await stage.send({ to: anAddress(), authorizationList: [authorization] });
    expect(await stage.client.getCode({ address: key.address })).toMatch(/^0xef0100/);
    const payment = await aPaymentOf(key.address, account);
    const { body: answer } = await ask(payment, '100', { account });
    expect((await confirm(answer, await signWithdrawal(answer, key))).body.status).toBe('SUCCESS');
  });
});

describe('an owner that is a contract', () => {
  it('cannot make the service pay for more than a withdrawal needs', async () => {
    const contract = anAddress();
    await stage.setCode(contract, EXPENSIVE_OWNER);
    const payment = await aPaymentOf(contract, 'SPW');
    const { body: answer } = await ask(payment, '100');
    const before = await relayedTransactions();
    const { status, body } = await confirm(answer, '0x1234');
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('more gas')]);
    expect(await relayedTransactions()).toBe(before);
    const { transaction_hash: hash } = await minedBy(payment, answer);
    expect(hash).toMatch(/^0x/);
  });
});

describe('a deposit on the wrong chain, or in the wrong token', () => {
  it.each([
    ['the wrong token on the chain of the next leg', BETA_USDT, 7_000_000n, '7'],
    ['the right token on the wrong chain', BETA_USDC, 5_000_000n, '5'],
    ['the native currency of the wrong chain', BETA_ETHER, 10n ** 17n, '0.1'],
    ['the wrong token on the right chain', USDT, 3_000_000n, '3'],
  ])('is shown and withdrawn: %s', async (_what, token, amount, shown) => {
    const key = aKey();
    const payment = aPayment(key.address, { legs: bridgingLegs, status: 'EXPIRED' });
    await stage.publish('payment', 'payment.expired', payment.id, payment.state);
    const chain = token.startsWith('betanet') ? betanet : stage;
    await chain.fund(token, payment.wallet, amount);
    const { body } = await stage.call<BalancesResponse>('/payments/balances', {
      payment_id: payment.id,
    });
    const found = body.balance_results.find((result) => result.token === token);
    expect(found).toMatchObject({ account: 'spw', value: { kind: 'amount', amount: shown } });
    const { body: answer } = await ask(payment, shown, { token });
    expect((await confirm(answer, await signWithdrawal(answer, key))).body.status).toBe('SUCCESS');
    expect(await chain.balance(token, payment.wallet)).toBe(0n);
  });

  it('is refused with a reason on a chain without the owner’s contract, whose balance names no account', async () => {
    const key = aKey();
    await factory.deploy(key.address);
    const payment = await aPaymentOf(await factory.accountOf(key.address), 'SPW');
    await betanet.fund(BETA_USDC, payment.wallet, 5_000_000n);
    const { status, body } = await ask(payment, '5', { token: BETA_USDC });
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { kind: 'other', message: expect.stringContaining('without code on Betanet') },
    ]);
    expect((await ask(payment, '100')).status).toBe(200);

    const accounts = async (query: object) => {
      const { body } = await stage.call<BalancesResponse>('/payments/balances', query);
      return body.balance_results
        .filter(({ token }) => token === USDC || token === BETA_USDC)
        .map(({ token, account }) => [token, account]);
    };
    const custom = [{ address: payment.wallet, token: BETA_USDC }];
    expect(await accounts({ payment_id: payment.id })).toEqual([
      [USDC, 'spw'],
      [BETA_USDC, undefined],
    ]);
    expect(await accounts({ custom_queries: custom })).toEqual([[BETA_USDC, undefined]]);
  });
});

describe('a withdrawal on the chain of the second leg', () => {
  const endsThePayment = async (payment: TestPayment, amount: string): Promise<boolean> => {
    const { body } = await ask(payment, amount, { token: BETA_USDC });
    const { message } = JSON.parse(body.withdraw_authorization) as {
      message: { accept_blame: boolean };
    };
    return message.accept_blame;
  };

  it('leaves the payment running while the money of that leg is in transit', async () => {
    const { payment, state, order } = await openOrder(stage, aKey().address, 'PENDING');
    await stage.publish('payment', 'payment.updated', payment.id, state('OPEN'));
    await betanet.fund(BETA_USDC, payment.wallet, 5_000_000n);
    expect(await endsThePayment(payment, '5')).toBe(false);
    // A moment later it has arrived, but no event has reported it yet.
    await fillOrder(betanet, order);
    expect(await endsThePayment(payment, '104')).toBe(true);
  });

  it('ends the payment only when it takes from the delivery', async () => {
    const { payment, state } = await openOrder(stage, aKey().address, 'PENDING');
    const filled = state('FILLED', { filledAmount: 99_000_000n });
    await stage.publish('payment', 'payment.updated', payment.id, filled);
    await betanet.fund(BETA_USDC, payment.wallet, 104_000_000n);
    expect(await endsThePayment(payment, '5')).toBe(false);
    expect(await endsThePayment(payment, '5.000001')).toBe(true);
  });

  it('takes from the wallet only, and does not refund a filled order', async () => {
    const { payment, state } = await openOrder(stage, aKey().address, 'PENDING');
    const filled = state('FILLED', { filledAmount: 99_000_000n });
    await stage.publish('payment', 'payment.updated', payment.id, filled);
    const { status, body } = await ask(payment, '100', { account: 'INTENT' });
    expect([status, body.errors]).toMatchObject([400, [{ kind: 'other' }]]);
    expect(await stage.balance(USDC, ESCROW)).toBeGreaterThan(0n);
  });
});

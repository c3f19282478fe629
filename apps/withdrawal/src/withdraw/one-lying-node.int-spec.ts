import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ErrorBody, WithdrawResponse, WithdrawalStatusResponse } from '@bascule/contracts';
import {
  FILL_OUTCOMES,
  ORDER_STATUSES,
  attesterOracleAbi,
  intentEscrowAbi,
  oneTimeWalletAbi,
} from '@bascule/solidity';
import { changedMulticall, eventually, startLyingNode } from '@bascule/testing';
import type { LyingNode, RpcAnswer, RpcCall } from '@bascule/testing';
import { erc20Abi, multicall3Abi, numberToHex, parseAbi, toFunctionSelector } from 'viem';
import type { AbiFunction, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts';
import { ORDERED, openOrder } from '../testing/orders.fixture.js';
import { aPayment } from '../testing/payments.fixture.js';
import { signWithdrawal } from '../testing/sign-withdrawal.fixture.js';
import { startTwoChainStage } from '../testing/two-chain-stage.fixture.js';
import type { TwoChainStage } from '../testing/two-chain-stage.fixture.js';
import { BETA_USDC, USDC } from '../testing/withdrawal-stage.fixture.js';

const owner = privateKeyToAccount(generatePrivateKey());
const anAddress = () => privateKeyToAddress(generatePrivateKey());
const CODE = '0x60006000fd';
/** Code that returns 1 for every call. */
const ANSWERS_ONE = '0x600160005260206000f3';

let all: TwoChainStage;
/** First nodes of three. */
let alphanet: LyingNode;
let betanet: LyingNode;

beforeAll(async () => {
  all = await startTwoChainStage();
  alphanet = await startLyingNode(all.stage.rpcUrl);
  betanet = await startLyingNode(all.betanet.rpcUrl);
  const three = (liar: LyingNode, honest: string) => [liar.url, honest, honest].join(',');
  await all.stage.restart({
    RPC_URLS_ALPHANET: three(alphanet, all.stage.rpcUrl),
    RPC_URLS_BETANET: three(betanet, all.betanet.rpcUrl),
  });
}, 120_000);
afterAll(async () => {
  await all.stop();
  await Promise.all([alphanet.stop(), betanet.stop()]);
});
beforeEach(() => all.attesters.be('honest', 'honest', 'honest'));
afterEach(() => {
  for (const { lies } of [alphanet, betanet]) lies.clear();
});

const selectorOf = (abi: readonly unknown[], name: string): Hex => {
  const found = (abi as readonly AbiFunction[]).find((each) => each.name === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return toFunctionSelector(found);
};
const STATUS = selectorOf(intentEscrowAbi, 'statusOf');
const FILLER = selectorOf(intentEscrowAbi, 'fillerOf');
const OUTCOME = selectorOf(attesterOracleAbi, 'outcomeOf');
const NONCE_USED = selectorOf(oneTimeWalletAbi, 'nonceUsed');
const EXECUTED = selectorOf(oneTimeWalletAbi, 'legExecuted');
const BALANCE = selectorOf(erc20Abi, 'balanceOf');
const NOW = selectorOf(
  parseAbi(['function getCurrentBlockTimestamp() view returns (uint256)']),
  'getCurrentBlockTimestamp',
);
const AGGREGATE = selectorOf(multicall3Abi, 'aggregate3');

const word = (value: number | bigint): Hex => numberToHex(value, { size: 32 });
type CallLies = Record<Hex, Hex>;

/** Answers calls of these functions falsely, by their selectors, alone or within a multicall. */
function lieInCalls(liar: LyingNode, lies: CallLies): void {
  liar.lies.set('eth_call', async ({ params }: RpcCall, honest): Promise<RpcAnswer> => {
    const { data } = params[0] as { data: Hex };
    const asked = data.slice(0, 10) as Hex;
    if (lies[asked] !== undefined) return { result: lies[asked] };
    const answer = await honest();
    if (asked !== AGGREGATE || answer.result === undefined) return answer;
    const result = changedMulticall(data, answer.result as Hex, (callData, given) => {
      const returnData = lies[callData.slice(0, 10) as Hex];
      return returnData === undefined ? given : { success: true, returnData };
    });
    return { result };
  });
}
const lieByReverts = (liar: LyingNode) =>
  liar.lies.set('eth_call', () =>
    Promise.resolve({ error: { code: 3, message: 'execution reverted' } }),
  );

const call = <T>(path: string, body: object) => all.stage.call<T & ErrorBody>(path, body);
const ask = (change: Record<string, unknown>) =>
  call<WithdrawResponse>('/payments/withdraw', {
    token_amounts: [{ token: USDC, amount: '40' }],
    recipient_address: anAddress(),
    withdraw_account: 'SPW',
    ...change,
  });

async function confirm(asked: WithdrawResponse) {
  const { status, body } = await call<WithdrawalStatusResponse>('/payments/withdraw/confirm', {
    state_token: asked.state_token,
    signature: await signWithdrawal(asked, owner),
    polling_timeout: 60_000,
  });
  return { status, body };
}
const succeeded = { status: 200, body: { status: 'SUCCESS' } };

interface TypedText {
  message: { accept_blame: boolean };
}

async function aFundedPayment(token = USDC) {
  const payment = aPayment(owner.address);
  await all.stage.publish('payment', 'payment.expired', payment.id, payment.state);
  const player = token === USDC ? all.stage : all.betanet;
  await player.fund(token, payment.wallet, 40_000_000n);
  return payment;
}

/** Needs 100 USDC for its leg. */
async function aPendingPayment(funds: bigint) {
  const payment = aPayment(owner.address, { status: 'PENDING' });
  await all.stage.publish('payment', 'payment.updated', payment.id, payment.state);
  await all.stage.fund(USDC, payment.wallet, funds);
  return payment;
}

/** Whether a withdrawal of 40 USDC ends the payment. */
async function isBlamed({ id }: { id: string }): Promise<boolean> {
  const { body } = await ask({ payment_id: id });
  return (JSON.parse(body.withdraw_authorization) as TypedText).message.accept_blame;
}

/** After its fill deadline. */
async function anUnfilledOrder() {
  const opened = await openOrder(all.stage, owner.address);
  await all.stage.publish('payment', 'payment.failed', opened.payment.id, opened.state('OPEN'));
  await all.passTime(opened.order.fillDeadline + 1n);
  const payment_id = opened.payment.id;
  const token_amounts = [{ token: USDC, amount: '100' }];
  const order = { payment_id, token_amounts, withdraw_account: 'INTENT' };
  return { opened, order };
}

describe('a withdrawal from a wallet, beside one lying node of three', () => {
  it.each<[string, (liar: LyingNode) => unknown]>([
    ['says that it holds nothing', (liar) => lieInCalls(liar, { [BALANCE]: word(0) })],
    ['refuses to be asked', lieByReverts],
  ])(
    'is requested though that one %s',
    async (_, lie) => {
      const { id } = await aFundedPayment();
      lie(alphanet);
      expect((await ask({ payment_id: id })).status).toBe(200);
    },
    120_000,
  );

  it('is refused above the balance that the others tell', async () => {
    const { id } = await aFundedPayment();
    lieInCalls(alphanet, { [BALANCE]: word(0) });
    const token_amounts = [{ token: USDC, amount: '41' }];
    const { status, body } = await ask({ payment_id: id, token_amounts });
    expect({ status, body }).toMatchObject({
      ...{ status: 400, body: { errors: [{ kind: 'amount', limits: { max: '40' } }] } },
    });
  }, 120_000);

  it('leaves the executor its rights though that one says that it leaves too little', async () => {
    const payment = await aPendingPayment(140_000_000n);
    lieInCalls(alphanet, { [BALANCE]: word(40_000_000) });
    expect(await isBlamed(payment)).toBe(false);
    lieByReverts(alphanet);
    alphanet.lies.set('eth_getCode', () => Promise.resolve({ result: CODE }));
    expect(await isBlamed(payment)).toBe(false);
  }, 120_000);

  it('ends no payment though that one says that its leg is not executed', async () => {
    const payment = await aPendingPayment(40_000_000n);
    expect(await isBlamed(payment)).toBe(true);
    await all.stage.setCode(payment.wallet, ANSWERS_ONE);
    expect(await isBlamed(payment)).toBe(false);
    lieInCalls(alphanet, { [EXECUTED]: word(0) });
    expect(await isBlamed(payment)).toBe(false);
    alphanet.lies.set('eth_getCode', () => Promise.resolve({ result: '0x' }));
    expect(await isBlamed(payment)).toBe(false);
  }, 120_000);

  it('is executed though that one says that the wallet exists', async () => {
    const payment = await aFundedPayment();
    const { body: asked } = await ask({ payment_id: payment.id });
    alphanet.lies.set('eth_getCode', ({ params }, honest) =>
      (params[0] as Hex).toLowerCase() === payment.wallet.toLowerCase()
        ? Promise.resolve({ result: CODE })
        : honest(),
    );
    expect(await confirm(asked)).toMatchObject(succeeded);
  }, 120_000);

  it('is settled though that one says that it was not executed', async () => {
    const { id } = await aFundedPayment();
    const { body: asked } = await ask({ payment_id: id });
    lieInCalls(alphanet, { [NONCE_USED]: word(0) });
    expect(await confirm(asked)).toMatchObject(succeeded);
  }, 120_000);

  it('is requested for money on another chain though that one says that the owner is a contract', async () => {
    const { id } = await aFundedPayment(BETA_USDC);
    alphanet.lies.set('eth_getCode', () => Promise.resolve({ result: CODE }));
    const token_amounts = [{ token: BETA_USDC, amount: '40' }];
    expect((await ask({ payment_id: id, token_amounts })).status).toBe(200);
  }, 120_000);

  it('is requested for a contract’s money on another chain though that one hides its code there', async () => {
    const contract = anAddress();
    await Promise.all([all.stage.setCode(contract, CODE), all.betanet.setCode(contract, CODE)]);
    const payment = aPayment(contract);
    await all.stage.publish('payment', 'payment.expired', payment.id, payment.state);
    await all.betanet.fund(BETA_USDC, payment.wallet, 40_000_000n);
    betanet.lies.set('eth_getCode', () => Promise.resolve({ result: '0x' }));
    const token_amounts = [{ token: BETA_USDC, amount: '40' }];
    const { status } = await ask({ payment_id: payment.id, token_amounts });
    expect(status).toBe(200);
  }, 120_000);
});

describe('a refund of an order, beside one lying node of three', () => {
  const status = (name: (typeof ORDER_STATUSES)[number]): CallLies => ({
    [STATUS]: word(ORDER_STATUSES.indexOf(name)),
  });
  const outcome = (reported: number): CallLies => ({
    [OUTCOME]: `${word(reported)}${'00'.repeat(32)}`,
  });

  it.each<[string, (liar: LyingNode) => unknown]>([
    ['may still be filled', (liar) => lieInCalls(liar, { [NOW]: word(1) })],
    ['does not exist', (liar) => lieInCalls(liar, status('UNKNOWN'))],
    ['was filled', (liar) => lieInCalls(liar, status('RELEASED'))],
    ['was filled, by its oracle', (liar) => lieInCalls(liar, outcome(FILL_OUTCOMES.filled))],
    ['needs no attesters', (liar) => lieInCalls(liar, outcome(FILL_OUTCOMES.unfilled))],
    ['was refunded', (liar) => lieInCalls(liar, status('REFUNDED'))],
    ['cannot be read', lieByReverts],
  ])(
    'is requested, and executed, though that one says that it %s',
    async (_, lie) => {
      const { order } = await anUnfilledOrder();
      lie(alphanet);
      const { status: answered, body: asked } = await ask(order);
      expect(answered).toBe(200);
      expect(await confirm(asked)).toMatchObject(succeeded);
    },
    120_000,
  );

  it('is executed without attesters after the expiry though that one says that it was filled', async () => {
    const { opened, order } = await anUnfilledOrder();
    await all.passTime(opened.order.expires);
    all.attesters.be('silent', 'silent', 'silent');
    lieInCalls(betanet, { [FILLER]: word(BigInt(owner.address)) });
    const { body: asked } = await ask(order);
    expect(await confirm(asked)).toMatchObject(succeeded);
    await eventually(async () => {
      expect(await all.stage.balance(USDC, opened.payment.wallet)).toBeLessThan(ORDERED);
    });
  }, 120_000);
});

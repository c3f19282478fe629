import type { Payment, WithdrawalStatusResponse, WithdrawResponse } from '@bascule/contracts';
import type { Order } from '@bascule/solidity';
import { deployAccountFactory, type AccountFactory } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Address, Hex, PrivateKeyAccount } from 'viem';
import { Chain } from '../../tools/first-payment/chain.js';
import { openedOrder } from '../../tools/first-payment/intent-orders.js';
import { confirmBody, quote, reaches } from '../../tools/first-payment/payments.js';
import { setSolverBehaviour } from '../../tools/first-payment/solver.js';
import { newTestUser, type Stage } from '../../tools/first-payment/test-user.js';
import { until } from '../../tools/first-payment/polling.js';
import {
  parkedBalance,
  requestWithdrawal,
  signTypedData,
} from '../../tools/first-payment/withdraw.js';
import { StackProcess } from '../testing/stack-process.fixture.js';
import {
  classifications,
  confirmParked,
  delayed,
  expectParked,
  SHORT_WAITS,
  type Parked,
} from './testing/classifications.fixture.js';
import { closeWindow } from './testing/miner.fixture.js';
import { silentStage } from './testing/stage.fixture.js';
import { strangersPayments } from './testing/strangers-payments.fixture.js';
import { depositTo } from './testing/deposit-to.fixture.js';

const KINDS = [
  'a key',
  'a contract (ERC-1271)',
  'an account that is not deployed yet (ERC-6492)',
] as const;
type OwnerKind = (typeof KINDS)[number];
type Account = 'SPW' | 'INTENT';

interface Owner {
  address: Address;
  key: PrivateKeyAccount;
  /** Makes the key's signature one of the owner. */
  asOwner: (signature: Hex) => Hex;
}

interface Owned {
  owner: Owner;
  payment: Payment;
  wallet: Address;
}

const AMOUNT = '25';
const PARTLY = '10';

let stack: StackProcess;
let stage: Stage;
let factory: AccountFactory;
/** A payment whose deadline passes during the other tests. */
let expiring: Parked;

beforeAll(async () => {
  stack = await StackProcess.create('parked-funds');
  stage = await silentStage(await stack.start(SHORT_WAITS));
  expiring = await confirmParked(stage, { minutes: 1 });
  factory = await deployAccountFactory(stage.stack.chains['alphanet']?.rpc_url ?? '');
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

async function anOwner(kind: OwnerKind): Promise<Owner> {
  const { owner: key } = newTestUser();
  if (kind === 'a key') return { key, address: key.address, asOwner: (signature) => signature };
  const address = await factory.accountOf(key.address);
  if (kind === 'a contract (ERC-1271)') {
    await factory.deploy(key.address);
    return { key, address, asOwner: (signature) => signature };
  }
  return { key, address, asOwner: (signature) => factory.undeployed(key, signature) };
}

/** Confirms a payment in USDC; the owner's contract need not exist on the chain of the output. */
async function confirmed(owner: Owner, to: Chain, intentRefund: boolean): Promise<Owned> {
  const { api, chain } = stage;
  const request = {
    input: { asset: chain.token('USDC'), amount: AMOUNT },
    output: to.token('USDC'),
    owner: owner.address,
    destination: newTestUser().destination,
    useIntentRefund: intentRefund,
  };
  const { quotes, state_token } = await quote(api, request);
  const [best] = quotes;
  if (!best) throw new Error('no quote');
  const payment = await api.post<Payment>('/payments/confirm', {
    ...confirmBody(request, best.payment_id, state_token),
    allow_unsafe_owner: true,
  });
  return { owner, payment, wallet: payment.processing_addresses[0]?.address as Address };
}

const deposit = ({ wallet }: Owned, amount: string) => depositTo(stage.chain, wallet, amount);

/** A payment with too little in its wallet. */
async function parkedInWallet(kind: OwnerKind): Promise<Owned> {
  const owned = await confirmed(await anOwner(kind), stage.chain, false);
  await deposit(owned, PARTLY);
  return owned;
}

/** A funded payment whose order in the escrow nobody will fill. */
async function fundedAcross(kind: OwnerKind): Promise<Owned> {
  const owned = await confirmed(await anOwner(kind), new Chain(stage.stack, 'betanet'), true);
  await deposit(owned, AMOUNT);
  return owned;
}

/** Signs as a wallet does, by what the answer says. */
async function sign(key: PrivateKeyAccount, answer: WithdrawResponse): Promise<Hex> {
  const { signature_type, withdraw_authorization: text } = answer;
  return signature_type === 'EIP191'
    ? key.signMessage({ message: text })
    : signTypedData(key, text);
}

interface Signed {
  answer: WithdrawResponse;
  signature: Hex;
  recipient: Address;
  /** The withdrawal in the form of older clients. */
  content: object;
}

async function signed({ owner, payment }: Owned, account: Account): Promise<Signed> {
  const { token, amount } = await parkedBalance(stage.api, payment.payment_id, account);
  const { destination: recipient } = newTestUser();
  const content = {
    payment_id: payment.payment_id,
    token_amounts: [{ token, amount }],
    recipient_address: recipient,
    withdraw_account: account,
  };
  const answer = await requestWithdrawal(stage.api, content);
  return { answer, recipient, content, signature: owner.asOwner(await sign(owner.key, answer)) };
}

/** Asks again while the senders of new deposits have no verdict. */
const confirm = (body: object) =>
  until('an answer', async () => {
    const answer = await stage.api.request('POST', '/payments/withdraw/confirm', {
      body: { polling_timeout: 60_000, ...body },
    });
    return answer.status === 503 ? null : answer;
  });

const statusOf = ({ answer: { withdraw_id } }: Signed) =>
  stage.api.get<WithdrawalStatusResponse>('/payments/withdraw/status', { withdraw_id });

const received = ({ recipient }: Signed): Promise<bigint> =>
  stage.chain.balance(stage.chain.token('USDC'), recipient);

const EXECUTED = {
  status: 409,
  body: { errors: [{ kind: 'other', message: 'The withdrawal was already executed.' }] },
};

/** Expects one execution: by the owner's signature only, and refused as executed from then on, in both forms. */
async function expectOneExecution(owned: Owned, account: Account): Promise<void> {
  const withdrawal = await signed(owned, account);
  const { answer, signature, content } = withdrawal;
  expect(answer).toMatchObject(
    account === 'SPW'
      ? { type: 'eip712', signature_type: 'EIP712' }
      : { type: 'erc191', signature_type: 'EIP191' },
  );
  const stranger = owned.owner.asOwner(await sign(newTestUser().owner, answer));
  const byToken = { state_token: answer.state_token, signature };
  expect((await confirm({ ...byToken, signature: stranger })).status).toBe(401);
  expect(await received(withdrawal)).toBe(0n);

  const { status, body } = await confirm(byToken);
  expect([status, body]).toMatchObject([200, { status: 'SUCCESS' }]);
  const paid = await received(withdrawal);
  expect(paid).toBeGreaterThan(0n);
  expect(await confirm(byToken)).toMatchObject(EXECUTED);
  expect(await confirm({ ...content, owner_signature: signature })).toMatchObject(EXECUTED);
  expect(await received(withdrawal)).toBe(paid);
  expect(await statusOf(withdrawal)).toMatchObject({ status: 'SUCCESS' });
}

classifications(() => stage);
strangersPayments(() => stage);

describe('money in the wallet', () => {
  it.each(KINDS)('is withdrawn by %s, who signs typed data (SPW, EIP-712)', async (kind) => {
    const owned = await parkedInWallet(kind);
    await expectOneExecution(owned, 'SPW');
    await reaches(stage.api, owned.payment.payment_id, 'WITHDRAWN');
  });
});

describe('a withdrawal that the chain refuses', () => {
  it('is FAILED at its confirm, and the payment is as before', async () => {
    const owned = await parkedInWallet('a key');
    const [first, second] = [await signed(owned, 'SPW'), await signed(owned, 'SPW')];
    const bodyOf = ({ answer, signature }: Signed) => ({
      state_token: answer.state_token,
      signature,
    });
    expect((await confirm(bodyOf(first))).status).toBe(200);
    await reaches(stage.api, owned.payment.payment_id, 'WITHDRAWN');

    const refused = await confirm({ ...bodyOf(second), polling_timeout: 0 });
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ kind: 'other', message: expect.stringContaining('withdrawal failed') }] },
    });
    expect(await statusOf(second)).toMatchObject({ status: 'FAILED', transaction_hash: null });
    expect((await confirm(bodyOf(second))).status).toBe(400);
    expect(
      (await reaches(stage.api, owned.payment.payment_id, 'WITHDRAWN')).withdrawals,
    ).toHaveLength(1);
  });
});

// It moves the chains' clocks: later quotes would be too late.
describe('money in an unfilled order', () => {
  const owned = new Map<OwnerKind, Owned & { order: Order }>();
  const inEscrow = ({ inputAmount }: Order) =>
    stage.chain.amount(stage.chain.token('USDC'), inputAmount);

  beforeAll(async () => {
    await setSolverBehaviour(stage.stack, { mode: 'silent' });
    const fromBlock = await stage.chain.client.getBlockNumber();
    const funded: [OwnerKind, Owned][] = [];
    for (const kind of KINDS) funded.push([kind, await fundedAcross(kind)]);
    for (const [kind, parked] of funded) {
      const order = await openedOrder(stage.chain, parked.wallet, fromBlock);
      owned.set(kind, { ...parked, order });
      await expectParked(stage, parked, [['STALLED', 'LOW', await inEscrow(order), 'USDC', null]]);
    }
    const byDeadline = [...owned.values()]
      .map(({ order }) => order)
      .sort((one, other) => Number(one.fillDeadline - other.fillDeadline));
    const latest = byDeadline.at(-1);
    if (latest) await closeWindow(stage.stack, latest);
    for (const { payment, order } of owned.values()) {
      const failed = await reaches(stage.api, payment.payment_id, 'FAILED', 180_000);
      // The leg on the other chain is behind the order that nobody filled.
      expect(failed.fulfilled.route.map(({ status }) => status)).toEqual([
        'COMPLETE',
        'FAILED',
        'UNREACHABLE',
      ]);
      await expectParked(stage, { payment: failed }, [
        ['STUCK', 'HIGH', await inEscrow(order), 'USDC', 'INTENT'],
      ]);
    }
  }, 400_000);

  it.each(KINDS)('is withdrawn by %s, who signs a message (INTENT, EIP-191)', async (kind) => {
    const found = owned.get(kind);
    if (found === undefined) throw new Error(`no order of ${kind}`);
    await expectOneExecution(found, 'INTENT');
    await reaches(stage.api, found.payment.payment_id, 'WITHDRAWN');
  });
});

delayed(
  () => stage,
  () => expiring,
);

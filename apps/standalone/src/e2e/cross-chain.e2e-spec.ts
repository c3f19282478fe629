import {
  parseTokenIdentifier,
  type Payment,
  type WithdrawalStatusResponse,
  type WithdrawResponse,
} from '@bascule/contracts';
import { isAlive } from '@bascule/local-stack';
import {
  developmentAddresses,
  parseDeclaration,
  withdrawalCall,
  type Order,
  type ServiceAuthorization,
} from '@bascule/solidity';
import { eventually } from '@bascule/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  encodeFunctionData,
  erc20Abi,
  isAddressEqual,
  parseGwei,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { Chain } from '../../../../tools/first-payment/chain.js';
import {
  confirmCrossing,
  CROSSINGS,
  playCrossing,
  playSilentSolver,
  refund,
} from '../../../../tools/first-payment/cross-chain.js';
import {
  fillersOf,
  openedOrder,
  orderStatus,
} from '../../../../tools/first-payment/intent-orders.js';
import { getPayment, reaches } from '../../../../tools/first-payment/payments.js';
import type { Player, Stage } from '../../../../tools/first-payment/player.js';
import { until } from '../../../../tools/first-payment/polling.js';
import { tellSolver } from '../../../../tools/first-payment/solver.js';
import { fund } from '../../../../tools/first-payment/swap.js';
import { verifyCompleted } from '../../../../tools/first-payment/verify-completed.js';
import {
  parkedBalances,
  signedPayout,
  signTypedData,
  withdraw,
  type ParkedBalance,
} from '../../../../tools/first-payment/withdraw.js';
import type { StackFile } from '../stack-file.js';
import { closeWindow, Miner } from './miner.js';
import { silentStage } from './stage.js';
import { StackProcess } from './stack-process.js';

const SAME_TOKEN = { give: { symbol: 'USDC', amount: '25' }, get: 'USDC' };
/** The chains' clocks run ahead of ours once a test has moved them. */
const LONG = 60;
const TEN_MINUTES = 600;

let stack: StackProcess;
let file: StackFile;
let stage: Stage;
let alphanet: Miner;
let betanet: Miner;
/** What each payment has to be in the end, and all that may have been said about it. */
const ends: { paymentId: string; status: Payment['status']; told: ('COMPLETE' | 'FAILED')[] }[] =
  [];

beforeAll(async () => {
  stack = await StackProcess.create('cross-chain');
  file = await stack.start();
  stage = await silentStage(file);
  alphanet = new Miner(file, 'alphanet');
  betanet = new Miner(file, 'betanet');
});

afterAll(async () => {
  await stage.webhooks.close();
  await stack.dispose();
});

/** How often a token came from one address to another. */
async function transfers(chain: Chain, symbol: string, to: Address) {
  const logs = await chain.client.getContractEvents({
    address: parseTokenIdentifier(chain.token(symbol)).address,
    abi: erc20Abi,
    eventName: 'Transfer',
    args: { to },
    fromBlock: 0n,
    strict: true,
  });
  return logs.map(({ args }) => args.value);
}

const finalBalance = (chain: Chain, symbol: string, holder: Address) =>
  chain.balance(chain.token(symbol), holder);

describe('a payment that crosses chains', () => {
  it.each(CROSSINGS)(
    'is paid to the last unit: $title',
    (crossing) => playCrossing(stage, crossing),
    120_000,
  );

  it('is paid, and its solver too, though that dies between, and an attester with it', async () => {
    const { chain, api } = stage;
    const fromBlock = await chain.client.getBlockNumber();
    const { player, confirmed, other } = await confirmCrossing(stage, SAME_TOKEN, LONG);
    const attester = killAttester(1);
    await tellSolver(file, { mode: 'normal', die_after_fill: true });
    await fund(stage, player, confirmed.payment);
    const order = await openedOrder(chain, confirmed.depositAddress, fromBlock);
    const completed = await reaches(api, confirmed.payment.payment_id, 'COMPLETE', 120_000);
    await verifyCompleted([chain, other], completed);
    expect(await orderStatus(chain, order)).toBe('OPEN');
    isComplete(confirmed.payment);

    const [filler, ...others] = await fillersOf(other, order);
    if (!filler) throw new Error('nobody has filled the order');
    expect(others).toEqual([]);
    const before = await finalBalance(chain, 'USDC', filler);
    await tellSolver(file, { mode: 'normal' });
    await eventually(async () => expect(await orderStatus(chain, order)).toBe('RELEASED'), {
      timeoutMs: 60_000,
    });
    expect((await finalBalance(chain, 'USDC', filler)) - before).toBe(order.inputAmount);
    await attesterReplaced(1, attester);
  }, 240_000);

  it('leaves what came in the wrong token or on the wrong chain to its owner', async () => {
    const { api, chain } = stage;
    const { player, confirmed, other } = await confirmCrossing(stage, SAME_TOKEN, LONG);
    const { payment, depositAddress } = confirmed;
    // The second is what its own second leg is made of.
    const wrong = [
      { on: chain, symbol: 'USDT' },
      { on: other, symbol: 'USDC' },
      { on: other, symbol: 'WETH' },
    ];
    for (const { on, symbol } of wrong) {
      await on.transfer(on.faucet, on.token(symbol), depositAddress, await units(on, symbol, '5'));
    }
    await fund(stage, player, payment);
    const completed = await reaches(api, payment.payment_id, 'COMPLETE', 120_000);
    await verifyCompleted([chain, other], completed);

    const parked = (await parkedBalances(api, payment.payment_id)).filter(
      ({ amount }) => Number(amount) > 1,
    );
    expect(parked.map(({ token }) => token).sort()).toEqual(
      wrong.map(({ on, symbol }) => on.token(symbol)).sort(),
    );
    for (const { on, symbol } of wrong) {
      const balance = parked.find(({ token }) => token === on.token(symbol));
      if (!balance) throw new Error(`no ${symbol} is parked`);
      const { payout } = await withdraw(api, player.owner, payment.payment_id, balance);
      expect(payout).toBeGreaterThan((await units(on, symbol, '5')) / 2n);
      expect(await finalBalance(on, symbol, player.owner.address)).toBe(payout);
    }
    isComplete(payment);
  }, 240_000);

  it('is undone and done again, and paid once, when its chain goes back behind the deposit', async () => {
    const { api, chain } = stage;
    const { player, confirmed, other } = await confirmCrossing(stage, SAME_TOKEN, LONG);
    const { payment, depositAddress } = confirmed;
    await tellSolver(file, { mode: 'silent' });
    const reorganise = await alphanet.branchOff();
    const fromBlock = await chain.client.getBlockNumber();
    await fund(stage, player, payment);
    await openedOrder(chain, depositAddress, fromBlock);
    await eventually(async () => {
      expect((await getPayment(api, payment.payment_id)).funded).toBe(true);
    });
    await reorganise();
    await eventually(
      async () => expect((await getPayment(api, payment.payment_id)).funded).toBe(false),
      { timeoutMs: 60_000 },
    );

    await fund(stage, player, payment);
    await tellSolver(file, { mode: 'normal' });
    const completed = await reaches(api, payment.payment_id, 'COMPLETE', 180_000);
    await verifyCompleted([chain, other], completed);
    expect(await transfers(other, 'USDC', player.destination)).toHaveLength(1);
    expect(await transfers(other, 'USDC', depositAddress)).toHaveLength(1);
    isComplete(payment);
  }, 300_000);

  it('is withdrawn when a stranger submits what the owner signed before the leg in the mempool', async () => {
    const { api, chain } = stage;
    const { player, confirmed } = await confirmCrossing(stage, SAME_TOKEN, LONG);
    const { payment, depositAddress } = confirmed;
    await alphanet.standStill();
    try {
      await send(player.owner, await depositOf(payment, depositAddress));
      await alphanet.mine(2);
      // The leg, which no block has.
      await alphanet.waiting(1);
      const [balance] = await parkedBalances(api, payment.payment_id);
      if (!balance) throw new Error('nothing is parked');
      const { request, signature } = await signed(player, payment, balance);
      const call = strangersCall(
        payment,
        request.withdraw_authorization,
        signature,
        depositAddress,
      );
      await send(chain.faucet, call, parseGwei('500'));
      await alphanet.mine(2);
    } finally {
      await alphanet.goOn();
    }
    const withdrawn = await reaches(api, payment.payment_id, 'WITHDRAWN', 120_000);
    expect(withdrawn.withdrawals).toHaveLength(1);
    expect(withdrawn.withdrawals?.[0]).toMatchObject({ status: 'SUCCESS' });
    expect(await parkedBalances(api, payment.payment_id)).toEqual([]);
    expect(await finalBalance(chain, 'USDC', depositAddress)).toBe(0n);
    ends.push({ paymentId: payment.payment_id, status: 'WITHDRAWN', told: [] });
  }, 240_000);

  it('goes on after its owner withdraws, while the order is open, what it does not need', async () => {
    const { api, chain } = stage;
    const { player, confirmed, other } = await confirmCrossing(stage, SAME_TOKEN, LONG);
    const { payment, depositAddress } = confirmed;
    const paymentId = payment.payment_id;
    const usdc = chain.token('USDC');
    const fromBlock = await chain.client.getBlockNumber();
    await tellSolver(file, { mode: 'silent' });
    await fund(stage, player, payment);
    const order = await openedOrder(chain, depositAddress, fromBlock);
    await chain.transfer(chain.faucet, usdc, depositAddress, await units(chain, 'USDC', '5'));
    const across = { account: 'INTENT', amount: await chain.amount(usdc, order.inputAmount) };
    const extra = { account: 'SPW', amount: '5' };
    await eventually(async () => expect(await shown(paymentId)).toEqual([across, extra]), {
      timeoutMs: 30_000,
    });

    const parked = await parkedBalances(api, paymentId);
    const balance = parked.find(({ account }) => account === 'SPW');
    if (!balance) throw new Error('nothing is parked');
    const { request, signature } = await signed(player, payment, balance);
    const { withdraw_authorization, withdraw_id, state_token } = request;
    expect(JSON.parse(withdraw_authorization)).toMatchObject({ message: { accept_blame: false } });
    await alphanet.standStill();
    try {
      await api.post('/payments/withdraw/confirm', { signature, state_token, polling_timeout: 0 });
      await eventually(
        async () => expect(await statuses(paymentId)).toEqual(['PENDING', 'WITHDRAW_PENDING']),
        { timeoutMs: 30_000 },
      );
      expect(await withdrawalsOf(paymentId)).toMatchObject([{ status: 'PENDING' }]);
    } finally {
      await alphanet.goOn();
    }
    const landed = await until('the withdrawal', async () => {
      const query = { withdraw_id };
      const now = await api.get<WithdrawalStatusResponse>('/payments/withdraw/status', query);
      return now.status === 'SUCCESS' ? now : null;
    });
    const withdrawals = [
      {
        status: 'SUCCESS',
        token_amounts: [{ token: usdc, amount: '5' }],
        recipient_address: player.owner.address.toLowerCase(),
        transaction_hash: landed.transaction_hash,
        issues: [],
      },
    ];
    await eventually(
      async () => {
        expect(await withdrawalsOf(paymentId)).toEqual(withdrawals);
        expect(await statuses(paymentId)).toEqual(['PENDING', 'PENDING']);
        expect(await shown(paymentId)).toEqual([across]);
      },
      { timeoutMs: 30_000 },
    );
    expect(await finalBalance(chain, 'USDC', player.owner.address)).toBe(
      signedPayout(withdraw_authorization, player.owner.address),
    );
    expect(await orderStatus(chain, order)).toBe('OPEN');

    await tellSolver(file, { mode: 'normal' });
    const completed = await reaches(api, paymentId, 'COMPLETE', 120_000);
    await verifyCompleted([chain, other], completed);
    expect(completed.withdrawals).toEqual(withdrawals);
    expect(await statuses(paymentId)).toEqual(['COMPLETE', 'COMPLETE']);
    expect(await transfers(other, 'USDC', player.destination)).toHaveLength(1);
    isComplete(payment);
  }, 240_000);

  it('fails when nobody delivers, and its owner has the money back from the escrow', async () => {
    await playSilentSolver(stage, (order) => closeWindow(file, order));
  }, 240_000);

  it('is paid to nobody twice when the destination stands still for ten minutes', async () => {
    const { api, chain } = stage;
    const { player, confirmed, other } = await confirmCrossing(stage, SAME_TOKEN, LONG);
    const { payment, depositAddress } = confirmed;
    const fromBlock = await chain.client.getBlockNumber();
    await betanet.standStill();
    let order: Order;
    try {
      await fund(stage, player, payment);
      order = await openedOrder(chain, depositAddress, fromBlock);
      // The fill, which no block has in time.
      await betanet.waiting(1);
      await alphanet.passTime(TEN_MINUTES);
      await betanet.passTime(TEN_MINUTES);
    } finally {
      await betanet.goOn();
    }
    const failed = await reaches(api, payment.payment_id, 'FAILED', 120_000);
    expect(failed.issues).toMatchObject([{ kind: 'parked_fund', classification: 'STUCK' }]);
    await refund(stage, player, payment, order);
    for (const holder of [player.destination, depositAddress]) {
      expect(await transfers(other, 'USDC', holder)).toEqual([]);
    }
    ends.push({ paymentId: payment.payment_id, status: 'WITHDRAWN', told: ['FAILED'] });
  }, 240_000);

  it('is not said to have failed when it has not', async () => {
    for (const { paymentId, status } of ends) {
      expect(await statuses(paymentId)).toEqual([status, status]);
    }
    // The last one failed after everything else had ended, and is told of after it.
    await eventually(
      () => {
        const told = ends.map(({ paymentId }) => stage.webhooks.statusesOf(paymentId));
        expect(told).toEqual(ends.map((end) => end.told));
      },
      { timeoutMs: 60_000 },
    );
    expect(ends).toHaveLength(6);
  });
});

const units = (chain: Chain, symbol: string, amount: string) =>
  chain.units(chain.token(symbol), amount);

const isComplete = ({ payment_id: paymentId }: Payment): void => {
  ends.push({ paymentId, status: 'COMPLETE', told: ['COMPLETE'] });
};

/** Without and with `enable_withdraw_pending`. */
const statuses = (paymentId: string): Promise<Payment['status'][]> =>
  Promise.all(
    ['false', 'true'].map(async (flag) => {
      const query = { payment_id: paymentId, enable_withdraw_pending: flag };
      return (await stage.api.get<Payment>('/payments', query)).status;
    }),
  );

const withdrawalsOf = async (paymentId: string) =>
  (await getPayment(stage.api, paymentId)).withdrawals;

/** The balances, and where they are. */
const shown = async (paymentId: string) =>
  (await parkedBalances(stage.api, paymentId))
    .map(({ account, amount }) => ({ account, amount }))
    .sort((one, other) => one.account.localeCompare(other.account));

/** A withdrawal of all of a balance, up to the owner's signature. */
async function signed({ owner }: Player, { payment_id }: Payment, balance: ParkedBalance) {
  const request = await stage.api.post<WithdrawResponse>('/payments/withdraw', {
    payment_id,
    token_amounts: [{ token: balance.token, amount: balance.amount }],
    recipient_address: owner.address,
    withdraw_account: balance.account,
  });
  return { request, signature: await signTypedData(owner, request.withdraw_authorization) };
}

function killAttester(attester: number): number {
  const pid = stack.attesterPid(attester);
  process.kill(pid, 'SIGKILL');
  return pid;
}

async function attesterReplaced(attester: number, killed: number): Promise<void> {
  await eventually(
    async () => {
      const pid = stack.attesterPid(attester);
      expect(pid).not.toBe(killed);
      expect(isAlive(pid)).toBe(true);
      const url = new URL('/health/ready', file.attesters[attester - 1]?.base_url);
      expect((await fetch(url)).status).toBe(200);
    },
    { timeoutMs: 60_000 },
  );
}

async function depositOf(payment: Payment, wallet: Address) {
  const { chain } = stage;
  const { address } = parseTokenIdentifier(chain.token('USDC'));
  const args = [wallet, await units(chain, 'USDC', SAME_TOKEN.give.amount)] as const;
  return {
    to: address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
  };
}

/** Asks for nothing beforehand, as the node would take what is in the mempool for done, and waits for no block. */
async function send(
  account: PrivateKeyAccount,
  call: { to: Address; data: Hex },
  priorityFee = parseGwei('1'),
): Promise<void> {
  const { chainId, client } = stage.chain;
  const serializedTransaction = await account.signTransaction({
    ...call,
    type: 'eip1559',
    chainId,
    nonce: await client.getTransactionCount({ address: account.address }),
    gas: 1_000_000n,
    maxPriorityFeePerGas: priorityFee,
    maxFeePerGas: priorityFee + parseGwei('100'),
  });
  await client.sendRawTransaction({ serializedTransaction });
}

/** What anybody can make of the owner's signature. */
function strangersCall(payment: Payment, payload: string, signature: Hex, wallet: Address) {
  const { message } = JSON.parse(payload) as {
    message: ServiceAuthorization & { nonce: string; chain_id: string };
  };
  const authorization: ServiceAuthorization = {
    ...message,
    nonce: BigInt(message.nonce),
    chain_id: BigInt(message.chain_id),
    actions: message.actions.map((action) => ({ ...action, value: BigInt(action.value) })),
  };
  const declaration = parseDeclaration(payment.declaration);
  expect(isAddressEqual(declaration.owner, payment.owner_address as Address)).toBe(true);
  return withdrawalCall(declaration, authorization, signature, {
    wallet,
    isDeployed: false,
    multicall3: developmentAddresses.multicall3,
  });
}

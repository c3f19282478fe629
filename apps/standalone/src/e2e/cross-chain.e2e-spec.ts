import { parseTokenIdentifier, type Payment, type WithdrawResponse } from '@bascule/contracts';
import { isAlive } from '@bascule/local-stack';
import {
  developmentAddresses,
  intentEscrowAbi,
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
import { openedOrder, orderStatus } from '../../../../tools/first-payment/intent-orders.js';
import { getPayment, reaches } from '../../../../tools/first-payment/payments.js';
import type { Stage } from '../../../../tools/first-payment/player.js';
import { tellSolver } from '../../../../tools/first-payment/solver.js';
import { fund } from '../../../../tools/first-payment/swap.js';
import { verifyCompleted } from '../../../../tools/first-payment/verify-completed.js';
import {
  parkedBalances,
  signTypedData,
  withdraw,
} from '../../../../tools/first-payment/withdraw.js';
import type { StackFile } from '../stack-file.js';
import { closeWindow, Miner } from './miner.js';
import { silentStage } from './stage.js';
import { StackProcess } from './stack-process.js';

const SAME_TOKEN = { give: { symbol: 'USDC', amount: '25' }, get: 'USDC' };
/** The chains' clocks run ahead of ours once a test has moved them. */
const LONG = 60;
const TEN_MINUTES = 600;
const { intentEscrow } = developmentAddresses;

let stack: StackProcess;
let file: StackFile;
let stage: Stage;
let alphanet: Miner;
let betanet: Miner;
/** Payments that ended without a failure, and of which nobody may have been told of one. */
const neverFailed: string[] = [];

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

    const filler = await fillerOf(other, order);
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
    expect((await getPayment(api, payment.payment_id)).status).toBe('COMPLETE');
    neverFailed.push(payment.payment_id);
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
    neverFailed.push(payment.payment_id);
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
      const request = await api.post<WithdrawResponse>('/payments/withdraw', {
        payment_id: payment.payment_id,
        token_amounts: [{ token: balance.token, amount: balance.amount }],
        recipient_address: player.owner.address,
        withdraw_account: balance.account,
      });
      const signature = await signTypedData(player.owner, request.withdraw_authorization);
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
    neverFailed.push(payment.payment_id);
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
  }, 240_000);

  it('is not said to have failed when it has not', () => {
    const told = neverFailed.map((paymentId) => stage.webhooks.statusesOf(paymentId));
    expect(told).toEqual([['COMPLETE'], ['COMPLETE'], []]);
  });
});

const units = (chain: Chain, symbol: string, amount: string) =>
  chain.units(chain.token(symbol), amount);

async function fillerOf(chain: Chain, order: Order): Promise<Address> {
  const contract = { address: intentEscrow, abi: intentEscrowAbi } as const;
  const logs = await chain.client.getContractEvents({
    ...contract,
    eventName: 'Filled',
    fromBlock: 0n,
    strict: true,
  });
  const id = await chain.client.readContract({
    ...contract,
    functionName: 'orderId',
    args: [order],
  });
  const filled = logs.filter(({ args }) => args.orderId === id);
  expect(filled).toHaveLength(1);
  return filled[0]?.args.filler ?? intentEscrow;
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

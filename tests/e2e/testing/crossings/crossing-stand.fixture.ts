import { parseTokenIdentifier, type Payment } from '@bascule/contracts';
import { developmentAddresses, type Order } from '@bascule/solidity';
import {
  encodeFunctionData,
  erc20Abi,
  parseGwei,
  type Address,
  type Hex,
  type PrivateKeyAccount,
} from 'viem';
import { Chain } from '../../../../tools/first-payment/chain.js';
import { confirmCrossing, type Crossing } from '../../../../tools/first-payment/cross-chain.js';
import { openedOrder } from '../../../../tools/first-payment/intent-orders.js';
import { getPayment } from '../../../../tools/first-payment/payments.js';
import type { TestUser, Stage } from '../../../../tools/first-payment/test-user.js';
import { fund } from '../../../../tools/first-payment/swap.js';
import {
  parkedBalances,
  signTypedData,
  type ParkedBalance,
  requestWithdrawal,
} from '../../../../tools/first-payment/withdraw.js';
import type { StackFile } from '@bascule/composition';
import { Miner } from '../miner.fixture.js';
import { silentStage } from '../stage.fixture.js';

/** A stack with a solver and attesters, in one process or several. */
export interface RunningStack {
  file: StackFile;
  /**
   * Makes the solver crash after its next fill, and an attester at once where it has a process of its own.
   * @returns a function that waits for the restart, given a check that the solver is still unpaid
   */
  crashAfterFill(): Promise<(isUnpaid: () => Promise<boolean>) => Promise<void>>;
}

/** Expected final status of a payment and its webhooks. */
interface End {
  paymentId: string;
  status: Payment['status'];
  told: ('COMPLETE' | 'FAILED')[];
}

export const SAME_TOKEN: Omit<Crossing, 'title'> = {
  give: { symbol: 'USDC', amount: '25' },
  get: 'USDC',
};
/** Expiry in minutes: long, since tests move the chains' clocks ahead of the local one. */
const LONG = 60;

/** A confirmed payment from `alphanet` to `betanet`. */
export interface Crossed {
  user: TestUser;
  payment: Payment;
  wallet: Address;
}

/** A user of both chains of a stack, with control of their clocks. */
export class CrossingStand {
  readonly ends: End[] = [];
  readonly alphanet: Miner;
  readonly betanet: Miner;
  readonly there: Chain;

  private constructor(
    readonly stack: RunningStack,
    readonly stage: Stage,
  ) {
    this.alphanet = new Miner(stack.file, 'alphanet');
    this.betanet = new Miner(stack.file, 'betanet');
    this.there = new Chain(stack.file, 'betanet');
  }

  static async open(stack: RunningStack): Promise<CrossingStand> {
    return new CrossingStand(stack, await silentStage(stack.file));
  }

  get here(): Chain {
    return this.stage.chain;
  }

  get chains(): [Chain, Chain] {
    return [this.here, this.there];
  }

  close(): Promise<void> {
    return this.stage.webhooks.close();
  }

  async confirmed(): Promise<Crossed> {
    const { user, confirmed } = await confirmCrossing(this.stage, SAME_TOKEN, LONG);
    return { user, payment: confirmed.payment, wallet: confirmed.depositAddress };
  }

  /** Returns the order that the payment's wallet has opened. */
  async funded({ user, payment, wallet }: Crossed): Promise<Order> {
    const fromBlock = await this.here.client.getBlockNumber();
    await fund(this.stage, user, payment);
    return openedOrder(this.here, wallet, fromBlock);
  }

  isComplete({ payment_id: paymentId }: Payment): void {
    this.ends.push({ paymentId, status: 'COMPLETE', told: ['COMPLETE'] });
  }

  /** Statuses without and with `enable_withdraw_pending`. */
  statuses(paymentId: string): Promise<Payment['status'][]> {
    return Promise.all(
      ['false', 'true'].map(async (flag) => {
        const query = { payment_id: paymentId, enable_withdraw_pending: flag };
        return (await this.stage.api.get<Payment>('/payments', query)).status;
      }),
    );
  }

  async withdrawalsOf(paymentId: string) {
    return (await getPayment(this.stage.api, paymentId)).withdrawals;
  }

  /** Parked balances with their accounts. */
  async shown(paymentId: string) {
    return (await parkedBalances(this.stage.api, paymentId))
      .map(({ account, amount }) => ({ account, amount }))
      .sort((one, other) => one.account.localeCompare(other.account));
  }

  /** A withdrawal of all of a balance, up to the owner's signature. */
  async signed({ user, payment }: Crossed, balance: ParkedBalance) {
    const request = await requestWithdrawal(this.stage.api, {
      payment_id: payment.payment_id,
      token_amounts: [{ token: balance.token, amount: balance.amount }],
      recipient_address: user.owner.address,
      withdraw_account: balance.account,
    });
    const signature = await signTypedData(user.owner, request.withdraw_authorization);
    return { request, signature };
  }
}

/** Lists the transfers of a token to an address. */
export async function transfersTo(chain: Chain, symbol: string, to: Address): Promise<bigint[]> {
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

export const unitsOf = (chain: Chain, symbol: string, amount: string): Promise<bigint> =>
  chain.units(chain.token(symbol), amount);

export const balanceOf = (chain: Chain, symbol: string, holder: Address): Promise<bigint> =>
  chain.balance(chain.token(symbol), holder);

/** Moves USDC, or lets the escrow move it. */
export const usdcCall = (functionName: 'transfer' | 'approve', to: Address, units: bigint) => ({
  to: developmentAddresses.usdc,
  data: encodeFunctionData({ abi: erc20Abi, functionName, args: [to, units] }),
});

/** Sends without estimating, since the node would include pending transactions, and without waiting for a block. */
export async function sendWithFixedGas(
  { chainId, client }: Chain,
  account: PrivateKeyAccount,
  call: { to: Address; data: Hex },
  priorityFee = parseGwei('1'),
): Promise<Hex> {
  const serializedTransaction = await account.signTransaction({
    ...call,
    type: 'eip1559',
    chainId,
    nonce: await client.getTransactionCount({ address: account.address }),
    gas: 1_000_000n,
    maxPriorityFeePerGas: priorityFee,
    maxFeePerGas: priorityFee + parseGwei('100'),
  });
  return client.sendRawTransaction({ serializedTransaction });
}

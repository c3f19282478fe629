import { TOPICS } from '@bascule/contracts';
import type { WithdrawalState } from '@bascule/contracts';
import { createEnvelope, TRANSPORT } from '@bascule/messaging';
import type { Transport } from '@bascule/messaging';
import type { RunningService } from '@bascule/service-host';
import { withdrawalNonce } from '@bascule/solidity';
import { v7 as uuidv7 } from 'uuid';
import type { Hash, PrivateKeyAccount } from 'viem';
import type { PaymentRecord } from '../../life-cycle/payment-record.js';
import { ORG_ID } from '../a-quote.fixture.js';
import { withdrawFromOutside } from '../owner-withdrawal.fixture.js';
import type { PaymentStack } from '../payment-stack.fixture.js';
import { balancesOf, TOKENS } from './chain-facts.fixture.js';
import type { OwnerWish } from './simulated-withdrawals.fixture.js';

/** Smallest balance of which a half is far above the cost of another withdrawal. */
const DIVISIBLE = 40_000_000n;
const LIFE_SECONDS = 1_800n;

const TYPES = {
  PENDING: 'withdrawal.submitted',
  SUCCESS: 'withdrawal.succeeded',
  FAILED: 'withdrawal.failed',
  EXPIRED: 'withdrawal.expired',
} as const;

interface Submitted {
  state: WithdrawalState;
  /** Null when it was never sent. */
  hash: Hash | null;
  diesAt: bigint;
}

/** The withdrawal service beside a real chain: submits what the owner has signed, and reports what became of it. */
export class ChainWithdrawals {
  /** Events that the payment service has not got. */
  readonly events: WithdrawalState[] = [];
  /** Transactions of the owner and of strangers. */
  readonly sent: Hash[] = [];
  readonly #submitted: Submitted[] = [];

  constructor(
    private readonly stack: PaymentStack,
    private readonly payment: PaymentRecord,
    private readonly owner: PrivateKeyAccount,
  ) {}

  get isAnyOpen(): boolean {
    return this.#submitted.some(({ state }) => state.status === 'PENDING');
  }

  /** Does nothing while the wallet is empty. */
  async submit(wish: OwnerWish & { isSent: boolean }): Promise<void> {
    const { [wish.token]: held } = await balancesOf(this.stack, this.payment.walletAddress);
    if (held === 0n) return;
    const amount = wish.isHalf && held >= DIVISIBLE ? held / 2n : held;
    const { timestamp } = await this.stack.node.getBlock();
    if (!wish.isSent) return this.#forget(wish, timestamp + 1n);
    const { withdrawId, nonce, deployment, hash } = await withdrawFromOutside(
      this.stack,
      this.payment,
      this.owner,
      { token: TOKENS[wish.token], amount, acceptBlame: wish.acceptBlame },
    );
    this.sent.push(deployment, hash);
    if (wish.isFromOutside) return;
    const diesAt = timestamp + LIFE_SECONDS;
    this.#open({ withdrawId, nonce, hash, diesAt, wish });
  }

  /** Hands an event to the service, and keeps it when it comes again. */
  async deliver(service: RunningService, index: number, isRepeated: boolean): Promise<void> {
    const event = this.events[index % Math.max(this.events.length, 1)];
    if (!event) return;
    if (!isRepeated) this.events.splice(this.events.indexOf(event), 1);
    await publish(service, event);
  }

  /** Learns what the final chain has decided. */
  async settle(final: bigint): Promise<void> {
    const { timestamp } = await this.stack.node.getBlock({ blockNumber: final });
    for (const submitted of this.#submitted) {
      const { state, hash, diesAt } = submitted;
      if (state.status !== 'PENDING') continue;
      const receipt = await this.#receipt(hash);
      if (receipt && receipt.blockNumber <= final) {
        this.#end(submitted, receipt.status === 'success' ? 'SUCCESS' : 'FAILED');
      } else if (receipt === null && timestamp >= diesAt) this.#end(submitted, 'EXPIRED');
    }
  }

  #forget(wish: OwnerWish, diesAt: bigint): void {
    if (wish.isFromOutside) return;
    const withdrawId = uuidv7();
    const nonce = withdrawalNonce(withdrawId, diesAt);
    this.#open({ withdrawId, nonce, hash: null, diesAt, wish });
  }

  #open({
    withdrawId,
    nonce,
    hash,
    diesAt,
    wish,
  }: Pick<Submitted, 'hash' | 'diesAt'> & {
    withdrawId: string;
    nonce: bigint;
    wish: OwnerWish;
  }): void {
    const state: WithdrawalState = {
      version: 1,
      withdraw_id: withdrawId,
      payment_id: this.payment.id,
      org_id: ORG_ID,
      chain: 'alphanet',
      wallet_address: this.payment.walletAddress,
      withdraw_account: 'SPW',
      token_amounts: [{ token: TOKENS[wish.token], amount: '1' }],
      recipient_address: this.owner.address,
      accept_blame: wish.acceptBlame,
      nonce: nonce.toString(),
      submitted: true,
      status: 'PENDING',
      transaction_hash: null,
      failure: null,
      expires_at: new Date(Number(diesAt) * 1000).toISOString(),
      updated_at: new Date().toISOString(),
    };
    this.#submitted.push({ state, hash, diesAt });
    this.events.push(state);
  }

  #end(submitted: Submitted, status: WithdrawalState['status']): void {
    const version = submitted.state.version + 1;
    submitted.state = {
      ...submitted.state,
      version,
      status,
      transaction_hash: status === 'EXPIRED' ? null : submitted.hash,
    };
    this.events.push(submitted.state);
  }

  async #receipt(hash: Hash | null) {
    if (hash === null) return null;
    return this.stack.node.getTransactionReceipt({ hash }).catch(() => null);
  }
}

async function publish(service: RunningService, data: WithdrawalState): Promise<void> {
  const key = data.withdraw_id;
  const event = { topic: TOPICS.withdrawal, type: TYPES[data.status], key, data };
  const origin = { source: 'withdrawal', environment: 'development' };
  const value = Buffer.from(JSON.stringify(createEnvelope(event, origin)));
  await service.app
    .get<Transport>(TRANSPORT)
    .publish([{ topic: TOPICS.withdrawal.name, key, headers: {}, value }]);
}

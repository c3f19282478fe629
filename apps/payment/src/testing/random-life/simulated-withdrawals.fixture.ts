import type { WithdrawalState } from '@bascule/contracts';
import { OWNER } from '../a-payment.fixture.js';
import { ORG_ID, USDC } from '../a-quote.fixture.js';
import type { WalletToken } from './life-cycle-model.fixture.js';
import type { SimulatedChain, SimulatedTransaction } from './simulated-chain.fixture.js';
import { CHAIN } from './simulated-service.fixture.js';

const LIFE_SECONDS = 1_800;

export interface OwnerWish {
  token: WalletToken;
  /** Half of the balance, or all. */
  isHalf: boolean;
  acceptBlame: boolean;
  /** Submitted by a stranger, with the owner's signature, and not through the service. */
  isFromOutside: boolean;
}

interface Submitted {
  state: WithdrawalState;
  transaction: SimulatedTransaction;
  diesAt: number;
}

/** The withdrawal service: signs for the owner, submits, and tells what became of it. */
export class SimulatedWithdrawals {
  /** Events that the payment service has not handled. */
  readonly events: WithdrawalState[] = [];
  readonly #submitted: Submitted[] = [];
  readonly #handled = new Map<string, WithdrawalState>();
  #count = 0n;

  constructor(
    private readonly chain: SimulatedChain,
    private readonly paymentId: string,
  ) {}

  get isAnyOpen(): boolean {
    return this.#submitted.some(({ state }) => state.status === 'PENDING');
  }

  submit({ token, isHalf, acceptBlame, isFromOutside }: OwnerWish): void {
    const { head } = this.chain;
    const held = head.wallet[token];
    const diesAt = head.time + LIFE_SECONDS;
    this.#count += 1n;
    const nonce = (BigInt(diesAt) << 192n) + this.#count;
    const amount = isHalf ? held / 2n : held;
    const call = { kind: 'withdraw', nonce, token, amount, acceptBlame, diesAt } as const;
    const hash = this.chain.submit(call);
    if (isFromOutside) return;
    const state: WithdrawalState = {
      version: 1,
      withdraw_id: `withdrawal-${this.#count}`,
      payment_id: this.paymentId,
      org_id: ORG_ID,
      chain: CHAIN,
      wallet_address: '',
      withdraw_account: 'SPW',
      token_amounts: [{ token: USDC, amount: '1' }],
      recipient_address: OWNER,
      accept_blame: acceptBlame,
      nonce: nonce.toString(),
      submitted: true,
      status: 'PENDING',
      transaction_hash: null,
      failure: null,
      expires_at: new Date(diesAt * 1000).toISOString(),
      updated_at: new Date(head.time * 1000).toISOString(),
    };
    this.#submitted.push({ state, transaction: { hash, call }, diesAt });
    this.events.push(state);
  }

  /** Remembers that the payment service knows this. */
  handled(state: WithdrawalState): void {
    const known = this.#handled.get(state.withdraw_id);
    if ((known?.version ?? 0) < state.version) this.#handled.set(state.withdraw_id, state);
  }

  /** Ids of withdrawals that the payment service has to take for open, whatever else it has read. */
  handledOpen(): string[] {
    const { nonces } = this.chain.head.wallet;
    return [...this.#handled.values()]
      .filter(({ status, nonce, expires_at: expiresAt }) => {
        const isUsed = nonces.includes(BigInt(nonce));
        const isDead = Date.parse(expiresAt) <= this.chain.head.time * 1000;
        return status === 'PENDING' && !isUsed && !isDead;
      })
      .map(({ withdraw_id: id }) => id);
  }

  /** Settles what the final chain has decided. */
  settle(): void {
    for (const submitted of this.#submitted) {
      if (submitted.state.status !== 'PENDING') continue;
      const { hash } = submitted.transaction;
      const receipt = this.chain.receipt(hash);
      const { final } = this.chain;
      if (receipt && receipt.block.number <= final.number) {
        this.#tell(submitted, receipt.event ? 'SUCCESS' : 'FAILED', hash);
      } else if (final.time >= submitted.diesAt && receipt === null) {
        this.#tell(submitted, 'EXPIRED', null);
      } else this.chain.broadcast(submitted.transaction);
    }
  }

  #tell(
    submitted: Submitted,
    status: WithdrawalState['status'],
    transaction_hash: string | null,
  ): void {
    const version = submitted.state.version + 1;
    submitted.state = { ...submitted.state, version, status, transaction_hash };
    this.events.push(submitted.state);
  }
}

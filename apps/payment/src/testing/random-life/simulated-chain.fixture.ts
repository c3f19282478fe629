import { numberToHex, type Hash } from 'viem';
import type { ChainEvent, Sender, WalletToken } from './life-cycle-model.fixture.js';

export interface SimulatedTransaction {
  readonly hash: Hash;
  readonly call:
    | { kind: 'deposit'; token: WalletToken; amount: bigint; sender: Sender }
    | { kind: 'execute' }
    | {
        kind: 'withdraw';
        nonce: bigint;
        token: WalletToken;
        amount: bigint;
        acceptBlame: boolean;
        /** Unix seconds from which the wallet refuses it. */
        diesAt: number;
      };
}

interface WalletState {
  readonly asked: bigint;
  readonly other: bigint;
  readonly isExecuted: boolean;
  readonly isBlamed: boolean;
  readonly nonces: readonly bigint[];
}

export interface SimulatedBlock {
  readonly number: number;
  readonly hash: Hash;
  readonly parentHash: Hash;
  readonly time: number;
  /** A transaction without an event has reverted. */
  readonly mined: readonly { transaction: SimulatedTransaction; event: ChainEvent | null }[];
  readonly wallet: WalletState;
}

export interface WalletTerms {
  required: bigint;
  maxInput: bigint;
  expiresAt: number;
}

const EMPTY: WalletState = { asked: 0n, other: 0n, isExecuted: false, isBlamed: false, nonces: [] };

/** A chain with one payment's wallet, whose rules are those of the contract. */
export class SimulatedChain {
  /** Whether the conversion meets its minimum. */
  isMarketOpen = true;
  readonly blocks: SimulatedBlock[];
  #pool: SimulatedTransaction[] = [];
  #hashes = 0;

  constructor(
    readonly terms: WalletTerms,
    startsAt: number,
    readonly confirmations: number,
  ) {
    const hash = this.newHash();
    this.blocks = [{ number: 0, hash, parentHash: hash, time: startsAt, mined: [], wallet: EMPTY }];
  }

  newHash(): Hash {
    this.#hashes += 1;
    return numberToHex(this.#hashes, { size: 32 });
  }

  get head(): SimulatedBlock {
    const head = this.blocks.at(-1);
    if (!head) throw new Error('a chain has a first block');
    return head;
  }

  /** Newest block that no reorganisation replaces. */
  get final(): SimulatedBlock {
    return this.blocks[Math.max(this.head.number - this.confirmations + 1, 0)] ?? this.head;
  }

  get isIdle(): boolean {
    return this.#pool.length === 0;
  }

  submit(call: SimulatedTransaction['call']): Hash {
    const hash = this.newHash();
    this.broadcast({ hash, call });
    return hash;
  }

  /** Takes a signed transaction, however often. */
  broadcast(transaction: SimulatedTransaction): void {
    const isKnown = [...this.#pool, ...this.#mined()].some(({ hash }) => hash === transaction.hash);
    if (!isKnown) this.#pool.push(transaction);
  }

  /** Block of a transaction, and its event; null for one that is not mined. */
  receipt(hash: Hash) {
    for (const block of this.blocks) {
      const found = block.mined.find(({ transaction }) => transaction.hash === hash);
      if (found) return { block, event: found.event };
    }
    return null;
  }

  mine(seconds: number, transactions = this.#pool.splice(0)): void {
    const { head } = this;
    const time = head.time + seconds;
    let { wallet } = head;
    const mined = transactions.map((transaction) => {
      const outcome = this.outcomeOf(transaction.call, wallet, time);
      if (outcome) wallet = outcome.wallet;
      return { transaction, event: outcome?.event ?? null };
    });
    const block = { hash: this.newHash(), parentHash: head.hash, time, mined, wallet };
    this.blocks.push({ number: head.number + 1, ...block });
  }

  /** Replaces the last blocks by others; their transactions come later, or are lost. */
  reorganise(depth: number, isLost: boolean): void {
    const orphaned = this.blocks.splice(Math.max(this.blocks.length - depth, 1));
    const undone = orphaned.flatMap(({ mined }) => mined.map(({ transaction }) => transaction));
    this.#pool.unshift(...(isLost ? [] : undone));
    for (let n = 0; n <= orphaned.length; n += 1) this.mine(1, []);
  }

  /** Wallet and event after a call; null where it reverts. */
  outcomeOf(
    call: SimulatedTransaction['call'],
    wallet: WalletState,
    time: number,
  ): { wallet: WalletState; event: ChainEvent } | null {
    switch (call.kind) {
      case 'deposit':
        return { wallet: moved(wallet, call.token, call.amount), event: call };
      case 'withdraw': {
        const { nonce, token, amount, acceptBlame, diesAt } = call;
        if (wallet.nonces.includes(nonce) || time >= diesAt || wallet[token] < amount) return null;
        const isBlamed = wallet.isBlamed || acceptBlame;
        const after = { ...moved(wallet, token, -amount), isBlamed };
        return {
          wallet: { ...after, nonces: [...wallet.nonces, nonce] },
          event: { kind: 'withdrawn', token, amount, acceptBlame },
        };
      }
      case 'execute': {
        const { required, maxInput, expiresAt } = this.terms;
        const isOver = wallet.isExecuted || wallet.isBlamed || time > expiresAt;
        if (isOver || !this.isMarketOpen || wallet.asked < required) return null;
        const taken = wallet.asked < maxInput ? wallet.asked : maxInput;
        return {
          wallet: { ...moved(wallet, 'asked', -taken), isExecuted: true },
          event: { kind: 'executed', taken },
        };
      }
    }
  }

  #mined(): SimulatedTransaction[] {
    return this.blocks.flatMap(({ mined }) => mined.map(({ transaction }) => transaction));
  }
}

const moved = (wallet: WalletState, token: WalletToken, amount: bigint): WalletState => ({
  ...wallet,
  [token]: wallet[token] + amount,
});

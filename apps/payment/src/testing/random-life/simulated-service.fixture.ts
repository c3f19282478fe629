import type { TokenIdentifier, WithdrawalState } from '@bascule/contracts';
import { parseTokenIdentifier } from '@bascule/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { Hash } from 'viem';
import {
  depositOf,
  withConfirmed,
  withDeposits,
  withoutBlocks,
} from '../../deposits/payment-deposits.js';
import { confirmedHeight } from '../../deposits/scanned-chain.js';
import { afterFailure } from '../../execution/leg-schedule.js';
import { answeredAt, checkoutReported, type ReportedOrder } from '../../life-cycle/checkouts.js';
import { applyDeadlines } from '../../life-cycle/deadlines.js';
import { derive } from '../../life-cycle/derive.js';
import { applyVerdicts, taint } from '../../life-cycle/sanctions.js';
import {
  legAt,
  legAttemptFailed,
  legFailed,
  legSettled,
  legSubmitted,
  startableLeg,
} from '../../life-cycle/legs.js';
import type { PaymentRecord, WalletHolding } from '../../life-cycle/payment-record.js';
import type { ExecutionPatience } from '../../life-cycle/policy.js';
import {
  endExpiredWithdrawals,
  withdrawalMined,
  withdrawalReported,
} from '../../life-cycle/withdrawals.js';
import { aPolicy, OWNER } from '../a-payment.fixture.js';
import { USDC, USDT } from '../a-quote.fixture.js';
import type { Sender, WalletToken } from './life-cycle-model.fixture.js';
import type { SimulatedBlock, SimulatedChain } from './simulated-chain.fixture.js';
import type { SimulatedScreening } from './simulated-screening.fixture.js';

export const CHAIN = 'alphanet';
const TOKENS: Record<WalletToken, TokenIdentifier> = { asked: USDC, other: USDT };
const ADDRESSES: Record<Sender, Hash> = {
  owner: OWNER,
  stranger: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
};
const CATALOGUE = new Map(
  Object.values(TOKENS).map((token) => [token, { decimals: 6, usdPrice: '1' }] as const),
);
const PATIENCE: ExecutionPatience = { patienceMs: 30_000, retryMs: 2_000, maxTransactions: 5 };
const FEE = 1_000_000n;

type Mutation = (payment: PaymentRecord, now: Date) => PaymentRecord;
/** A piece of work as its transactions; a crash ends it between two of them. */
type Work = Generator<void, void, void>;

export type ServiceWork = 'scan' | 'executeLeg' | 'applyDeadlines' | 'screenSenders';

/** The service's workers without I/O: the rules of the life cycle, in the workers' order and transactions. */
export class SimulatedService {
  /** The payment's row. */
  payment: PaymentRecord;
  #scanned: SimulatedBlock[];
  #confirmed = 0;
  #legTransaction: Hash | null = null;
  /** Rows of senders: those to ask about, and the verdicts. */
  readonly #dueSenders = new Set<Sender>();
  readonly #verdicts = new Map<Sender, boolean>();

  constructor(
    private readonly chain: SimulatedChain,
    private readonly screening: SimulatedScreening,
    payment: PaymentRecord,
    private readonly onWrite: (before: PaymentRecord, after: PaymentRecord) => void,
  ) {
    this.payment = payment;
    this.#scanned = [chain.head];
  }

  /** The newest block of the scanner with its confirmations. */
  get confirmedUpTo(): Date {
    return dateOf(this.chain.blocks[this.#confirmed]);
  }

  /** Does the work, or dies after so many transactions. */
  run(work: ServiceWork, writes = Infinity): void {
    const steps = this[work]();
    for (let written = 0; written < writes; written += 1) if (steps.next().done) return;
  }

  /** As `ChainScanner`. */
  *scan(): Work {
    const { blocks, head } = this.chain;
    const isOrphaned = ({ number, hash }: SimulatedBlock) => blocks[number]?.hash !== hash;
    const orphaned = this.#scanned.find(isOrphaned);
    if (orphaned) {
      const from = BigInt(orphaned.number);
      this.#change((payment, now) => withoutBlocks(payment, CHAIN, from, now));
      yield;
      this.#scanned = this.#scanned.slice(0, orphaned.number);
      yield;
    }
    yield* this.#confirm();
    const next = blocks.slice(this.#scanned.length, head.number + 1);
    yield* this.#forgetOrphans(next);
    for (const block of next) {
      this.#change((payment) => withDeposits(payment, depositsIn(payment, block)));
      sendersIn(block).forEach((sender) => this.#expectVerdict(sender));
      this.#applyVerdicts();
      yield;
    }
    this.#scanned = [...this.#scanned, ...next];
    yield;
    yield* this.#confirm();
  }

  /** Removes deposits that an interrupted pass has recorded in blocks that are replaced since. */
  *#forgetOrphans(next: readonly SimulatedBlock[]): Work {
    const hashes = new Map(next.map(({ number, hash }) => [BigInt(number), hash]));
    const isOrphaned = this.payment.deposits.some(
      ({ blockNumber, blockHash }) => (hashes.get(blockNumber) ?? blockHash) !== blockHash,
    );
    const [first] = next;
    if (!isOrphaned || !first) return;
    this.#change((payment, now) => withoutBlocks(payment, CHAIN, BigInt(first.number), now));
    yield;
  }

  *#confirm(): Work {
    const { head, confirmations } = this.chain;
    const scanned = BigInt(this.#scanned.length - 1);
    const height = Number(confirmedHeight(scanned, BigInt(head.number), confirmations));
    if (height <= this.#confirmed) return;
    for (const block of this.#scanned.slice(this.#confirmed + 1, height + 1)) {
      yield* this.#recordWithdrawals(block);
    }
    this.#change((payment) => withConfirmed(payment, CHAIN, BigInt(height)));
    this.#verdicts.forEach((isHit, sender) => isHit && this.#dueSenders.add(sender));
    yield;
    this.#confirmed = height;
    yield;
  }

  *#recordWithdrawals(block: SimulatedBlock): Work {
    for (const { transaction, event } of block.mined) {
      if (transaction.call.kind !== 'withdraw' || event === null) continue;
      const { nonce, acceptBlame } = transaction.call;
      const log = {
        chain: CHAIN,
        nonce,
        withdrawId: nonce.toString(),
        acceptBlame,
        mined: {
          transactionHash: transaction.hash,
          blockNumber: BigInt(block.number),
          blockTimestamp: dateOf(block),
          remaining: holdingsOf(block),
        },
      };
      this.#change((payment, now) => withdrawalMined(payment, log, () => aPolicy, now));
      yield;
    }
  }

  /** As the workers of legs and transactions. */
  *executeLeg(): Work {
    if (legAt(this.payment, 0).status === 'EXECUTING') return yield* this.#awaitLeg();
    const leg = startableLeg(this.payment);
    if (!leg || (leg.dueAt ?? this.#now) > this.#now) return;
    if (!(yield* this.#isClear())) return;
    const { head, terms } = this.chain;
    const { wallet } = head;
    if (wallet.isBlamed || wallet.asked < terms.required) return;
    const call = { kind: 'execute' } as const;
    if (this.chain.outcomeOf(call, wallet, head.time) === null) return this.#failLeg('slippage');
    const hash = this.chain.newHash();
    this.#change((payment) => {
      const sent = legSubmitted(payment, 0, { attempt: leg.attempts + 1, nextLookAt: null });
      this.#legTransaction = hash;
      return sent;
    });
    yield;
    this.chain.broadcast({ hash, call });
  }

  *#awaitLeg(): Work {
    const hash = this.#legTransaction;
    if (hash === null) throw new Error('a leg executes without a transaction');
    const receipt = this.chain.receipt(hash);
    if (receipt === null) return this.chain.broadcast({ hash, call: { kind: 'execute' } });
    const { block, event } = receipt;
    if (block.number > this.chain.final.number) return;
    if (event?.kind !== 'executed') {
      const { asked, isBlamed } = this.chain.head.wallet;
      const hasOwnerIntervened = isBlamed || asked < this.chain.terms.required;
      return hasOwnerIntervened ? this.#interruptLeg() : this.#failLeg('reverted');
    }
    const settlement = {
      input: event.taken - FEE,
      fees: [FEE],
      output: 32_900_000_000_000_000n,
      blockNumber: BigInt(block.number),
      blockTimestamp: dateOf(block),
    };
    this.#change((payment, now) => legSettled(payment, 0, settlement, hash, now));
    yield;
  }

  #failLeg(reason: 'slippage' | 'reverted'): void {
    this.#change((payment, now) => {
      const leg = legAt(payment, 0);
      const verdict = afterFailure(leg, { reason, message: reason }, PATIENCE, now);
      return verdict.next === 'retry'
        ? legAttemptFailed(payment, 0, verdict.failure, verdict.at)
        : legFailed(payment, 0, verdict.failure, now);
    });
  }

  #interruptLeg(): void {
    const failure = { reason: 'reverted', message: 'reverted' } as const;
    this.#change((payment, now) =>
      legAttemptFailed(payment, 0, failure, new Date(now.getTime() + PATIENCE.retryMs)),
    );
  }

  /** As `LegScreeningService`: the parties before each leg, and senders without a verdict. */
  *#isClear(): Generator<void, boolean, void> {
    const isOwnerHit = this.screening.ask('owner');
    if (isOwnerHit === null) return false;
    if (isOwnerHit) {
      this.#change((payment, now) => taint(payment, 'owner', now));
      return false;
    }
    const confirmed = new Set(
      this.payment.deposits.flatMap(({ confirmed, sender }) => (confirmed ? [sender] : [])),
    );
    for (const sender of SENDERS) {
      if (!confirmed.has(ADDRESSES[sender].toLowerCase()) || this.#verdicts.has(sender)) continue;
      if (!(yield* this.#screen(sender))) return false;
    }
    this.#applyVerdicts();
    return this.payment.status !== 'TAINTED';
  }

  /** As `SenderScreeningWorker`: without an answer the sender stays due. */
  *screenSenders(): Work {
    for (const sender of [...this.#dueSenders]) {
      if (yield* this.#screen(sender)) this.#dueSenders.delete(sender);
      yield;
    }
  }

  /** Records a verdict, and taints by it in one transaction; false without an answer. */
  *#screen(sender: Sender): Generator<void, boolean, void> {
    const isHit = this.screening.ask(sender);
    if (isHit === null) return false;
    yield;
    this.#verdicts.set(sender, isHit);
    this.#applyVerdicts();
    yield;
    return true;
  }

  /** A sender that was clear is asked about again for each deposit. */
  #expectVerdict(sender: Sender): void {
    this.#dueSenders.add(sender);
    if (this.#verdicts.get(sender) === false) this.#verdicts.delete(sender);
  }

  #applyVerdicts(): void {
    const verdicts = new Map(
      [...this.#verdicts].map(([sender, isHit]) => [ADDRESSES[sender].toLowerCase(), isHit]),
    );
    this.#change((payment, now) => applyVerdicts(payment, verdicts, aPolicy, now));
  }

  /** As `DeadlineWorker`. */
  *applyDeadlines(): Work {
    const { confirmedUpTo } = this;
    this.#change((payment, now) =>
      applyDeadlines(
        endExpiredWithdrawals(payment, new Map([[CHAIN, confirmedUpTo]]), now),
        confirmedUpTo,
        now,
      ),
    );
    yield;
  }

  /** Handles an event of the withdrawal service. */
  handle(state: WithdrawalState): void {
    this.#change((payment, now) =>
      withdrawalReported(payment, { ...state, transferId: null }, now),
    );
  }

  /** Records a provider's answer, as the checkout worker: the time of an answer is no change of the payment. */
  poll(order: Omit<ReportedOrder, 'askedAt'>): void {
    const asked = { ...order, askedAt: this.#now };
    this.#change((payment, now) => checkoutReported(payment, asked, now));
    const { checkout } = this.payment;
    const polledAt = answeredAt(asked);
    if (checkout && polledAt)
      this.payment = { ...this.payment, checkout: { ...checkout, polledAt } };
  }

  get #now(): Date {
    return dateOf(this.chain.head);
  }

  /** As `PaymentStoreRepository.change`. */
  #change(mutate: Mutation): void {
    const before = this.payment;
    const mutated = mutate(before, this.#now);
    if (mutated === before) return;
    const after = { ...derive(mutated, this.#now), version: before.version + 1 };
    this.payment = after;
    this.onWrite(before, after);
  }
}

const dateOf = (block: SimulatedBlock | undefined): Date => new Date((block?.time ?? 0) * 1000);

const SENDERS: readonly Sender[] = ['owner', 'stranger'];

const sendersIn = ({ mined }: SimulatedBlock): Sender[] =>
  mined.flatMap(({ transaction: { call } }) => (call.kind === 'deposit' ? [call.sender] : []));

function depositsIn(payment: PaymentRecord, block: SimulatedBlock) {
  const pointer = {
    number: BigInt(block.number),
    hash: block.hash,
    timestamp: dateOf(block),
  };
  return block.mined.flatMap(({ transaction: { hash, call } }) => {
    if (call.kind !== 'deposit') return [];
    const { address } = parseTokenIdentifier(TOKENS[call.token]);
    const arrival = {
      chain: CHAIN,
      block: pointer,
      token: address,
      from: ADDRESSES[call.sender],
      to: payment.walletAddress as Hash,
      amount: call.amount,
      transactionHash: hash,
      position: 'log:0',
    } as const;
    return depositOf(payment, arrival, CATALOGUE, uuidv7) ?? [];
  });
}

/** Holdings of a wallet after a block. */
export const holdingsOf = ({ wallet }: SimulatedBlock): WalletHolding[] =>
  (['asked', 'other'] as const)
    .map((token) => ({
      token: TOKENS[token],
      amount: wallet[token],
      decimals: 6,
      usdPrice: '1',
    }))
    .filter(({ amount }) => amount > 0n);

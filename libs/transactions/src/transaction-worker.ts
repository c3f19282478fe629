import { balanceOf, Chains, feesFor, NODE_PASS_LEASE_MS, NODE_PASS_MS } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
import { ServiceContext, withSpan, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { TransactionReceipt } from 'viem';
import { AttemptLog } from './attempt-log.js';
import { Broadcaster } from './broadcaster.js';
import type { BroadcastResult } from './broadcaster.js';
import { readChainState } from './chain-state.js';
import type { ChainState } from './chain-state.js';
import { TRANSFER_GAS } from './signed-attempt.js';
import { wasAccepted } from './next-attempt.js';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import { bumped } from './replacement-fees.js';
import { Replacer } from './replacer.js';
import { Reservations } from './reservations.js';
import { maxCostOf } from './signer-funds.js';
import { UnsignedError } from './unsigned-error.js';
import { Signers } from './signers.js';
import { TransactionMetrics } from './transaction-metrics.js';
import type { SettlementHandler, TransactionOutcome } from './transaction-outcome.js';
import {
  TRANSACTION_COLUMNS,
  attemptsOf,
  hasFollowers,
  markSettled,
  postpone,
  storedTransaction,
} from './transaction-store.js';
import type { StoredAttempt, StoredTransaction, TransactionRow } from './transaction-store.js';
import { transactionAttributes } from './transaction-attributes.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';

/** Transactions of a chain in progress: those of one that hangs take no slot of another. */
const SLOTS_OF_CHAIN = 8;
const RETRY_MS = 2_000;
const MIN_POLL_MS = 200;
/**
 * Replacement times after which a transaction is cancelled that one node has accepted and another one calls invalid, or
 * whose newest attempt has no affordable replacement.
 */
const PATIENCE = 4;

/** Signs and broadcasts recorded transactions, replaces slow ones and reports outcomes. Runs on every replica. */
@Injectable()
export class TransactionWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<TransactionRow>;
  private settlement: SettlementHandler | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly signers: Signers,
    private readonly attempts: AttemptLog,
    private readonly reservations: Reservations,
    private readonly broadcaster: Broadcaster,
    private readonly replacer: Replacer,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
    @Inject(TRANSACTIONS_OPTIONS) private readonly options: TransactionsOptions,
  ) {
    this.worker = new DueWorker<TransactionRow>({
      name: 'transactions',
      dataSource,
      table: 'chain_transactions',
      select: TRANSACTION_COLUMNS,
      ...slotsPerChain(SLOTS_OF_CHAIN, chains.all().length),
      leaseMs: NODE_PASS_LEASE_MS,
      pollMs: options.pollMs ?? 500,
      traceparentOf: ({ traceparent }) => traceparent,
      handle: (row) => this.advance(storedTransaction(row)),
      context,
    });
  }

  /** Registers the service's only handler, before the application starts. */
  onSettled(handler: SettlementHandler): void {
    if (this.settlement) throw new Error('a settlement handler is registered already');
    this.settlement = handler;
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  /** Runs now instead of at the next poll; call it after the commit. */
  wake(): void {
    this.worker.wake();
  }

  stop(): Promise<void> {
    return this.worker.stop();
  }

  /** A pass beyond its deadline continues beside the next one: what it writes, it writes once. */
  private async advance(transaction: StoredTransaction): Promise<void> {
    try {
      await withTimeout(this.options.deadlineMs ?? NODE_PASS_MS, () => this.pass(transaction));
    } catch (error) {
      const isAway = error instanceof UnsignedError;
      if (!isAway || !this.signers.find(transaction.chain, transaction.signer)) {
        this.context.logger.warn(
          { err: error, reference: transaction.reference },
          'could not advance transaction',
        );
      }
      await postpone(this.dataSource, transaction.id, isAway ? error.retryInMs : RETRY_MS);
    }
  }

  private async pass(transaction: StoredTransaction): Promise<void> {
    const chain = this.chains.get(transaction.chain);
    const attempts = await attemptsOf(this.dataSource, transaction.id);
    const state = await readChainState(chain, transaction, attempts);
    await this.act(chain, transaction, attempts, state);
  }

  private async act(
    chain: Chain,
    transaction: StoredTransaction,
    attempts: readonly StoredAttempt[],
    state: ChainState,
  ): Promise<void> {
    const pollMs = Math.max(chain.definition.blockTimeMs / 2, MIN_POLL_MS);
    switch (state.state) {
      case 'confirmed':
        // The process that sent it may have crashed before it recorded that.
        if (state.attempt.broadcastAgeMs === null)
          await this.attempts.broadcast(state.attempt.hash);
        return this.report(transaction, outcomeOf(state.attempt, state.receipt), state.receipt);
      case 'dead':
        if (await this.hasNewAttempt(transaction, attempts)) {
          return postpone(this.dataSource, transaction.id, pollMs);
        }
        return this.report(transaction, DROPPED, null);
      case 'mined': {
        const { blockTimeMs, confirmations } = chain.definition;
        // More are missing only as a node with a low head says.
        const blocks = Math.min(Number(state.missingConfirmations) - 1, confirmations);
        const ms = Math.max(blocks * blockTimeMs, pollMs);
        return postpone(this.dataSource, transaction.id, ms);
      }
      case 'waiting':
        if (this.isGivenUp(transaction, attempts)) return this.report(transaction, DROPPED, null);
        await this.rebroadcast(chain, transaction, attempts, state.isNext);
        return postpone(this.dataSource, transaction.id, pollMs);
    }
  }

  /** Whether nobody will sign it: an operator gave it up, and its key is not configured any more. */
  private isGivenUp(
    { isAbandoned, chain, signer }: StoredTransaction,
    attempts: readonly StoredAttempt[],
  ): boolean {
    return isAbandoned && attempts.length === 0 && !this.signers.find(chain, signer);
  }

  /** Whether an attempt was stored since these were read: it may be the one that used the nonce. */
  private async hasNewAttempt(
    { id }: StoredTransaction,
    [known]: readonly StoredAttempt[],
  ): Promise<boolean> {
    const [newest] = await attemptsOf(this.dataSource, id);
    return newest?.number !== known?.number;
  }

  /** Signs a reservation. Rebroadcasts, and replaces only the signer's next nonce: later ones do not wait for fees. */
  private async rebroadcast(
    chain: Chain,
    transaction: StoredTransaction,
    attempts: readonly StoredAttempt[],
    isNext: boolean,
  ): Promise<void> {
    const newest = attempts[0] ?? (await this.reservations.sign(chain, transaction));
    if (!newest) return;
    const result = await this.broadcaster.send(chain, transaction, newest);
    // A new attempt is looked at again once it had the time to be mined.
    if (isNext && attempts.length > 0) await this.react(chain, transaction, attempts, result);
  }

  /** Replaces or cancels the newest attempt where nodes refuse it, or it waits too long. */
  private async react(
    chain: Chain,
    transaction: StoredTransaction,
    attempts: readonly StoredAttempt[],
    result: BroadcastResult,
  ): Promise<void> {
    const [newest] = attempts;
    if (newest === undefined) return;
    const patienceMs = PATIENCE * this.options.replaceAfterMs;
    const isOverdue = waitedMs(transaction, newest) > patienceMs;
    const isRefused = isOverdue && isRefusedFor(result, newest);
    const replace = (purpose: AttemptPurpose) =>
      this.replacer.replace(chain, transaction, attempts, { purpose, isOverdue, isRefused });
    if (result === 'unfunded') {
      this.metrics.unfunded.set({ chain: chain.name, signer: transaction.signer }, 1);
      if (!wasAccepted(attempts)) return this.reprice(chain, transaction, newest, replace);
      return isRefused ? replace('cancellation') : undefined;
    }
    const isDisputed = result === 'disputed' && transaction.publicAgeMs > patienceMs;
    // One node may have set the fees of what it alone has accepted.
    const isAbandoned = isRefused && wasAccepted(attempts);
    if (result === 'invalid' || isDisputed || isAbandoned) return replace('cancellation');
    if (isRefused || this.isLate(newest, result)) await replace(newest.purpose);
  }

  private isLate({ broadcastAgeMs }: StoredAttempt, result: BroadcastResult): boolean {
    return result === 'underpriced' || (broadcastAgeMs ?? 0) > this.options.replaceAfterMs;
  }

  /**
   * Signs a transaction that its key cannot pay at today's fees, if these are affordable; else cancels it where others
   * wait behind its nonce. It waits for funds alone.
   */
  private async reprice(
    chain: Chain,
    transaction: StoredTransaction,
    newest: StoredAttempt,
    replace: (purpose: AttemptPurpose) => Promise<void>,
  ): Promise<void> {
    const [market, balance] = await Promise.all([
      feesFor(chain),
      balanceOf(chain, transaction.signer),
    ]);
    const isCheaper = bumped(market.maxFeePerGas) <= newest.maxFeePerGas;
    if (isCheaper && maxCostOf(transaction, market) <= balance) {
      await replace(newest.purpose);
    } else if (
      newest.purpose !== 'cancellation' &&
      maxCostOf(CANCELLATION, market) <= balance &&
      (await hasFollowers(this.dataSource, transaction))
    ) {
      await replace('cancellation');
    }
  }

  private async report(
    transaction: StoredTransaction,
    outcome: TransactionOutcome,
    receipt: TransactionReceipt | null,
  ): Promise<void> {
    const about = {
      ...transactionAttributes(transaction),
      'bascule.transaction.status': outcome.status,
    };
    await withSpan('settle transaction', about, async () => {
      await this.settlement?.(transaction.reference, outcome);
    });
    const isFirst = await markSettled(this.dataSource, transaction.id, {
      status: outcome.status,
      hash: outcome.hash,
      blockNumber: receipt?.blockNumber ?? null,
      gasCost: receipt ? receipt.gasUsed * receipt.effectiveGasPrice : null,
    });
    // Passes may overlap.
    if (!isFirst) return;
    this.metrics.settled.inc({ chain: transaction.chain, status: outcome.status });
    this.context.logger.info(
      { reference: transaction.reference, status: outcome.status, hash: outcome.hash },
      'transaction settled',
    );
  }
}

/** Whether nodes refuse an attempt for funds, or none of them has ever taken it; others are only raised. */
const isRefusedFor = (result: BroadcastResult, { broadcastAgeMs }: StoredAttempt): boolean =>
  result === 'unfunded' ||
  (broadcastAgeMs === null && result !== 'accepted' && result !== 'disputed');

/** Time that an attempt has waited at all nodes: private endpoints alone may refuse or keep a payload. */
const waitedMs = (
  { publicAgeMs }: StoredTransaction,
  { purpose, broadcastAgeMs, ageMs }: StoredAttempt,
): number => {
  const attemptMs = broadcastAgeMs ?? ageMs;
  return purpose === 'payload' ? Math.min(attemptMs, publicAgeMs) : attemptMs;
};

const CANCELLATION = { gasLimit: TRANSFER_GAS, value: 0n };

const DROPPED: TransactionOutcome = { status: 'dropped', hash: null, receipt: null };

const outcomeOf = (attempt: StoredAttempt, receipt: TransactionReceipt): TransactionOutcome =>
  attempt.purpose === 'cancellation'
    ? DROPPED
    : { status: receipt.status, hash: attempt.hash, receipt };

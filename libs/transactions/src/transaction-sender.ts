import { Chains, feesFor, witnessedMaximum } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { currentTraceparent, ServiceContext, withSpan } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Address, Hash, Hex } from 'viem';
import { boundedFees } from './bounded-fees.js';
import { Broadcaster } from './broadcaster.js';
import { maxCostOf, requireFunds, SignerUnfundedError } from './signer-funds.js';
import { Signers } from './signers.js';
import { dataFeeFor, signAttempt } from './signed-attempt.js';
import { asSimulationError, TransactionWouldRevertError } from './simulation-error.js';
import { transactionAttributes } from './transaction-attributes.js';
import { TransactionMetrics } from './transaction-metrics.js';
import { attemptsOf, findByReference, insertTransaction, lockSigner } from './transaction-store.js';
import type { StoredTransaction } from './transaction-store.js';
import { TransactionTooExpensiveError } from './transaction-too-expensive-error.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';

export interface TransactionRequest {
  chain: string;
  /** Unique; a repeated reference returns the first record. */
  reference: string;
  to: Address;
  data: Hex;
  /** Wei. */
  value?: bigint;
  /** Estimated with a margin by default. */
  gasLimit?: bigint;
  /** Bound of an estimated limit; the service's largest limit by default. */
  maxGas?: bigint;
  /** Bound of the cost of every attempt, the value not included, in wei; only the chain's highest fee by default. */
  maxCost?: bigint;
}

export interface RecordedTransaction {
  id: string;
  hash: Hash;
}

/** Margin for changes of state between the estimate and the block. */
const GAS_MARGIN_PERCENT = 140n;

/**
 * Nonces that the chain may be ahead of ours, after other use of the key or a restored database. A larger jump is a lie,
 * or needs an operator: every nonce that is skipped would have to be paid for.
 */
const MAX_NONCE_JUMP = 1_000n;

/** Records and broadcasts transactions. */
@Injectable()
export class TransactionSender {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly signers: Signers,
    private readonly broadcaster: Broadcaster,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
    @Inject(TRANSACTIONS_OPTIONS) private readonly options: TransactionsOptions,
  ) {}

  /** Returns the address that signs on the chain. */
  signerAddress(chain: string): Address {
    return this.signers.get(chain).address;
  }

  /**
   * Simulates, signs and stores the transaction within the caller's database transaction; nothing is sent before the
   * commit. The signer's row stays locked until then.
   * @throws TransactionWouldRevertError when the simulation reverts or needs more gas than a transaction may have
   * @throws TransactionTooExpensiveError when it would cost more than its bound at today's fees
   * @throws SignerUnfundedError when the key cannot pay for it beside those that wait
   */
  async record(manager: EntityManager, request: TransactionRequest): Promise<RecordedTransaction> {
    if (manager.queryRunner?.isTransactionActive !== true) {
      throw new Error('expected an active database transaction');
    }
    return withSpan('record transaction', transactionAttributes(request), () =>
      this.recordOnce(manager, request),
    );
  }

  private async recordOnce(
    manager: EntityManager,
    request: TransactionRequest,
  ): Promise<RecordedTransaction> {
    const chain = this.chains.get(request.chain);
    const account = this.signers.get(request.chain);
    const { nextNonce } = await lockSigner(manager, chain.name, account.address);
    const existing = await findByReference(manager, request.reference);
    if (existing) return this.recorded(manager, existing);

    const [minedCount, gasLimit, market] = await Promise.all([
      witnessedMaximum(chain, (node) => node.getTransactionCount({ address: account.address })),
      simulate(chain, account.address, request, this.options.maxGas),
      feesFor(chain),
    ]);
    if (BigInt(minedCount) > nextNonce + MAX_NONCE_JUMP) {
      throw new Error(`${chain.name} reports nonce ${minedCount}, expected about ${nextNonce}`);
    }
    const transaction = {
      id: uuidv7(),
      reference: request.reference,
      chain: chain.name,
      signer: account.address,
      // The chain is ahead when the key was used elsewhere or the database was restored.
      nonce: nextNonce > BigInt(minedCount) ? nextNonce : BigInt(minedCount),
      target: request.to,
      data: request.data,
      value: request.value ?? 0n,
      gasLimit,
      traceparent: currentTraceparent() ?? null,
      maxCost: request.maxCost ?? null,
    };
    const dataFee = await dataFeeFor(chain, transaction, market);
    const fees = boundedFees(market, { ...transaction, dataFee });
    if (fees === null) {
      throw new TransactionTooExpensiveError(request.reference, transaction.maxCost ?? 0n);
    }
    const cost = maxCostOf(transaction, fees) + dataFee;
    await this.requireFunds(manager, chain, transaction.signer, { minedCount, cost });
    const attempt = await signAttempt(account, chain, 'payload', transaction, fees);
    await insertTransaction(manager, transaction, attempt);
    this.context.logger.info(
      { chain: chain.name, reference: request.reference, hash: attempt.hash },
      'transaction recorded',
    );
    return { id: transaction.id, hash: attempt.hash };
  }

  private async requireFunds(
    manager: EntityManager,
    chain: Chain,
    signer: Address,
    needed: { minedCount: number; cost: bigint },
  ): Promise<void> {
    const state = { chain: chain.name };
    try {
      await requireFunds(manager, chain, signer, needed);
      this.metrics.unfunded.set(state, 0);
    } catch (error) {
      if (error instanceof SignerUnfundedError) this.metrics.unfunded.set(state, 1);
      throw error;
    }
  }

  /**
   * Broadcasts a recorded transaction right after its commit. Optional: any replica's worker broadcasts it too, so a refusal
   * is no error here.
   */
  async broadcast(reference: string): Promise<void> {
    const transaction = await findByReference(this.dataSource, reference);
    if (transaction?.status !== 'pending') return;
    const [newest] = await attemptsOf(this.dataSource, transaction.id);
    if (newest) await this.broadcaster.send(this.chains.get(transaction.chain), newest);
  }

  /** Returns a transaction's status; null when it was never recorded. `hash` is the mined or the newest attempt's. */
  async find(
    reference: string,
  ): Promise<{ status: StoredTransaction['status']; hash: Hash } | null> {
    const transaction = await findByReference(this.dataSource, reference);
    if (!transaction) return null;
    const { hash } = await this.recorded(this.dataSource.manager, transaction);
    return { status: transaction.status, hash };
  }

  private async recorded(
    manager: EntityManager,
    transaction: StoredTransaction,
  ): Promise<RecordedTransaction> {
    if (transaction.hash) return { id: transaction.id, hash: transaction.hash };
    const [newest] = await attemptsOf(manager, transaction.id);
    if (!newest) throw new Error(`${transaction.reference} has no attempt`);
    return { id: transaction.id, hash: newest.hash };
  }
}

async function simulate(
  chain: Chain,
  from: Address,
  { reference, to, data, value, gasLimit, ...bounds }: TransactionRequest,
  maxGas: bigint,
): Promise<bigint> {
  const ceiling = smaller(bounds.maxGas ?? maxGas, maxGas);
  const requireWithin = (bound: bigint, gas: bigint): void => {
    if (gas <= bound) return;
    const cause = new Error(`expected at most ${bound} gas, found ${gas}`);
    throw new TransactionWouldRevertError(reference, '0x', { cause });
  };
  const bound = gasLimit ?? ceiling;
  requireWithin(ceiling, bound);
  try {
    const call = { account: from, to, data, value: value ?? 0n };
    const estimate = await chain.client.estimateGas(call);
    // viem sends no gas limit with an estimate, so that only the node's own limit bounds it.
    requireWithin(bound, estimate);
    return gasLimit ?? smaller((estimate * GAS_MARGIN_PERCENT) / 100n, ceiling);
  } catch (error) {
    throw asSimulationError(reference, error);
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

import {
  balanceOf,
  Chains,
  estimateGasOf,
  feesFor,
  NodesUnavailableError,
  reportedCount,
} from '@bascule/chain';
import type { Chain, TransactionFees } from '@bascule/chain';
import { currentTraceparent, ServiceContext, withSpan } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Address, Hash, Hex } from 'viem';
import { boundedFees } from './bounded-fees.js';
import { Broadcaster } from './broadcaster.js';
import { KeyChoice } from './key-choice.js';
import { Reservations } from './reservations.js';
import { canPay, maxCostOf, SignerUnfundedError } from './signer-funds.js';
import type { Purse } from './signer-funds.js';
import { UnsignedError } from './unsigned-error.js';
import { Signers } from './signers.js';
import { dataFeeFor } from './signed-attempt.js';
import { asSimulationError, TransactionWouldRevertError } from './simulation-error.js';
import { transactionAttributes } from './transaction-attributes.js';
import { TransactionMetrics } from './transaction-metrics.js';
import {
  attemptsOf,
  costsOf,
  findByReference,
  lockSigner,
  reserveTransaction,
  settledCount,
} from './transaction-store.js';
import type { Queryable, StoredTransaction, TransactionCost } from './transaction-store.js';
import { TransactionTooExpensiveError } from './transaction-too-expensive-error.js';
import { TRANSACTIONS_OPTIONS } from './transactions-options.js';
import type { TransactionsOptions } from './transactions-options.js';

export interface TransactionRequest {
  chain: string;
  /** Unique; a repeated reference changes nothing. */
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
  /** Whether others would profit from seeing it before its block: it goes to the chain's private endpoints first. */
  isPrivate?: boolean;
}

/**
 * Changes of a caller in the database transaction that records its own. Must ask nothing but the database.
 * @param reserve records the transaction; call it before rows are locked that its outcome locks
 */
export type RecordedChange<T> = (
  manager: EntityManager,
  reserve: () => Promise<void>,
) => Promise<T>;

/** Margin for changes of state between the estimate and the block. */
const GAS_MARGIN_PERCENT = 140n;

/**
 * Nonces that the chain may be ahead of ours, after other use of the key or a restored database. A larger jump is a lie,
 * or needs an operator: every nonce that is skipped would have to be paid for.
 */
const MAX_NONCE_JUMP = 1_000n;

const PRIVATE_FOR_MS = 60_000;

/** Records transactions; signs and broadcasts them after the commit. */
@Injectable()
export class TransactionSender {
  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly signers: Signers,
    private readonly keys: KeyChoice,
    private readonly reservations: Reservations,
    private readonly broadcaster: Broadcaster,
    private readonly context: ServiceContext,
    private readonly metrics: TransactionMetrics,
    @Inject(TRANSACTIONS_OPTIONS) private readonly options: TransactionsOptions,
  ) {}

  /** Returns the address of the chain's first key; others may sign, too, where several are configured. */
  signerAddress(chain: string): Address {
    return this.signers.active(chain)[0].address;
  }

  /**
   * Simulates the transaction and reads what it costs, then runs the caller's change in a database transaction, in which
   * `reserve` reserves a nonce. No connection is held while nodes are asked; nothing is signed or sent before the commit.
   * The row of the chosen key stays locked from `reserve` until then. A repeated reference reserves nothing.
   * @param change runs again, after a rollback, where others have spent the key's funds meanwhile
   * @throws TransactionWouldRevertError when the simulation reverts or needs more gas than a transaction may have
   * @throws TransactionTooExpensiveError when it would cost more than its bound at today's fees
   * @throws SignerUnfundedError when no key can pay for it beside those that wait
   * @throws UnsignedError when no key could be opened yet
   */
  record<T>(request: TransactionRequest, change: RecordedChange<T>): Promise<T> {
    return withSpan('record transaction', transactionAttributes(request), () =>
      this.recordOnce(request, change),
    );
  }

  private async recordOnce<T>(request: TransactionRequest, change: RecordedChange<T>): Promise<T> {
    if (await this.isRecorded(request)) return this.changeAlone(change);
    const chain = this.chains.get(request.chain);
    const keys = await this.keys.byPreference(this.dataSource, chain.name);
    for (const { address } of keys) {
      const draft = await this.draftOf(chain, address, request);
      if (draft === 'recorded') return this.changeAlone(change);
      if (draft !== null && (await canPay(this.dataSource, chain.name, address, draft.purse))) {
        const changed = await this.changeBy(chain, draft, change);
        if (changed !== null) return changed.result;
      }
      this.metrics.unfunded.set({ chain: chain.name, signer: address }, 1);
    }
    throw new SignerUnfundedError(chain.name, this.signerAddress(chain.name));
  }

  private async isRecorded({ reference }: TransactionRequest): Promise<boolean> {
    return (await findByReference(this.dataSource, reference)) !== null;
  }

  private changeAlone<T>(change: RecordedChange<T>): Promise<T> {
    return this.dataSource.transaction((manager) => change(manager, () => Promise.resolve()));
  }

  private async draftOf(chain: Chain, signer: Address, request: TransactionRequest) {
    // Before the balance, which still holds the cost of what is settled later.
    const settled = await settledCount(this.dataSource, chain.name, signer);
    try {
      return await draftFor(chain, { address: signer, settled }, request, this.options.maxGas);
    } catch (error) {
      // Another process recorded it meanwhile, and it was mined.
      const isRepeated = error instanceof TransactionWouldRevertError;
      if (isRepeated && (await this.isRecorded(request))) return 'recorded';
      throw error;
    }
  }

  /** Null where the key cannot pay any more: the rollback gives its lock back before another key is locked. */
  private async changeBy<T>(
    chain: Chain,
    draft: Draft,
    change: RecordedChange<T>,
  ): Promise<{ result: T } | null> {
    try {
      const result = await this.dataSource.transaction((manager) =>
        change(manager, () => this.reserve(manager, chain, draft)),
      );
      return { result };
    } catch (error) {
      if (error instanceof SignerUnfundedError) return null;
      throw error;
    }
  }

  private async reserve(manager: EntityManager, chain: Chain, draft: Draft): Promise<void> {
    const { signer, purse, request } = draft;
    const { nextNonce } = await lockSigner(manager, chain.name, signer);
    if (await findByReference(manager, request.reference)) return;
    const { witnessedCount } = draft;
    if (witnessedCount > nextNonce + MAX_NONCE_JUMP) {
      throw new NodesUnavailableError(
        `${chain.name} reports nonce ${witnessedCount}, expected about ${nextNonce}`,
      );
    }
    const about = { chain: chain.name, signer };
    // Others may have reserved since it was drafted.
    if (!(await canPay(manager, chain.name, signer, purse))) {
      throw new SignerUnfundedError(chain.name, signer);
    }
    this.metrics.unfunded.set(about, 0);
    await reserveTransaction(manager, {
      id: uuidv7(),
      reference: request.reference,
      chain: chain.name,
      signer,
      // The chain is ahead when the key was used elsewhere or the database was restored.
      nonce: larger(nextNonce, witnessedCount),
      target: request.to,
      data: request.data,
      value: request.value ?? 0n,
      gasLimit: draft.gasLimit,
      traceparent: currentTraceparent() ?? null,
      maxCost: request.maxCost ?? null,
      fees: draft.fees,
      privateForMs: this.privateForMs(chain, request),
    });
    this.context.logger.info({ ...about, reference: request.reference }, 'transaction recorded');
  }

  private privateForMs(
    { privateEndpoints }: Chain,
    { isPrivate = false }: TransactionRequest,
  ): number | null {
    if (!isPrivate || privateEndpoints.length === 0) return null;
    return this.options.privateForMs ?? PRIVATE_FOR_MS;
  }

  /**
   * Signs and broadcasts a recorded transaction right after its commit. Optional: any replica's worker does so, too, so
   * a refusal is no error here, nor is a key that does not sign.
   */
  async broadcast(reference: string): Promise<void> {
    const transaction = await findByReference(this.dataSource, reference);
    if (transaction?.status !== 'pending') return;
    const chain = this.chains.get(transaction.chain);
    const [newest] = await attemptsOf(this.dataSource, transaction.id);
    try {
      const attempt = newest ?? (await this.reservations.sign(chain, transaction));
      if (attempt) await this.broadcaster.send(chain, transaction, attempt);
    } catch (error) {
      if (!(error instanceof UnsignedError)) throw error;
      this.context.logger.info(
        { reference, signer: error.signer },
        'transaction waits for its key',
      );
    }
  }

  /**
   * Returns a transaction's status; null when it was never recorded. `hash` is the mined or the newest attempt's, null
   * until it is signed. A caller with a transaction passes its manager.
   */
  async find(
    reference: string,
    db: Queryable = this.dataSource,
  ): Promise<{ status: StoredTransaction['status']; hash: Hash | null } | null> {
    const transaction = await findByReference(db, reference);
    if (!transaction) return null;
    const { id, status, hash } = transaction;
    if (hash) return { status, hash };
    const [newest] = await attemptsOf(db, id);
    return { status, hash: newest?.hash ?? null };
  }

  /** Returns what recorded transactions have cost so far; pending ones nothing. */
  costs(references: readonly string[]): Promise<TransactionCost[]> {
    return costsOf(this.dataSource, references);
  }
}

/** Transaction that a key can sign, before its nonce is known. */
interface Draft {
  request: TransactionRequest;
  signer: Address;
  gasLimit: bigint;
  fees: TransactionFees;
  purse: Purse;
  /** Transactions mined for the key as two nodes say; 0 where too few answered. */
  witnessedCount: bigint;
}

/**
 * Null where the key has less than the value, which no node simulates.
 * @throws TransactionTooExpensiveError
 * @throws TransactionWouldRevertError
 */
async function draftFor(
  chain: Chain,
  { address: signer, settled }: { address: Address; settled: bigint },
  request: TransactionRequest,
  maxGas: bigint,
): Promise<Draft | null> {
  const { to: target, data, value = 0n, maxCost = null } = request;
  const [{ witnessedCount, minedCount, balance }, market, simulated] = await Promise.all([
    fundsOf(chain, signer, settled),
    feesFor(chain),
    simulate(chain, signer, request, maxGas).catch((error: unknown) => ({ error })),
  ]);
  if (balance < value) return null;
  if (typeof simulated === 'object') throw simulated.error;
  const gasLimit = simulated;
  const content = { nonce: minedCount, target, data, value, gasLimit };
  const dataFee = await dataFeeFor(chain, content, market);
  const fees = boundedFees(market, { gasLimit, dataFee, maxCost });
  if (fees === null) throw new TransactionTooExpensiveError(request.reference, maxCost ?? 0n);
  // One of two nodes that invents a data fee must not make a key look empty.
  const cost = maxCostOf(content, fees) + dataFee.lower;
  const purse = { minedCount, balance, cost };
  return { request, signer, gasLimit, fees, purse, witnessedCount };
}

/** A single node may set the count that funds are compared by, but not below what is settled; no node alone a nonce. */
async function fundsOf(
  chain: Chain,
  address: Address,
  settled: bigint,
): Promise<Pick<Purse, 'minedCount' | 'balance'> & Pick<Draft, 'witnessedCount'>> {
  const { likely, witnessed } = await reportedCount(chain, (node) =>
    node.getTransactionCount({ address }),
  );
  return {
    minedCount: larger(BigInt(likely), settled),
    witnessedCount: BigInt(witnessed ?? 0),
    balance: await balanceOf(chain, address),
  };
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
    const estimate = await estimateGasOf(chain, call, bound);
    // viem sends no gas limit with an estimate, so that only the node's own limit bounds it.
    requireWithin(bound, estimate);
    return gasLimit ?? smaller((estimate * GAS_MARGIN_PERCENT) / 100n, ceiling);
  } catch (error) {
    throw asSimulationError(reference, error);
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);

import type { TransactionFees } from '@bascule/chain';
import type { Address, Hash, Hex } from 'viem';
import type { DataSource, EntityManager } from 'typeorm';
import type { AttemptPurpose } from './persistence/chain-transaction-attempt.entity.js';
import type { TransactionStatus } from './persistence/chain-transaction.entity.js';
import type { SignedAttempt, TransactionContent } from './signed-attempt.js';

export interface StoredTransaction extends TransactionContent {
  id: string;
  reference: string;
  chain: string;
  signer: Address;
  status: TransactionStatus;
  hash: Hash | null;
  traceparent: string | null;
  /** Bound of the cost of any attempt, the value not included, in wei; null without one. */
  maxCost: bigint | null;
  /** Fees at which its first attempt is signed; null: those of the market at that time. */
  fees: TransactionFees | null;
  /** Time since its nonce was reserved. */
  ageMs: number;
  /** Whether an operator gave up its signature: its payload is not signed any more. */
  isAbandoned: boolean;
  /** Whether only private endpoints get its payload, where the chain has some. */
  isPrivate: boolean;
  /** Time since all nodes may get it; negative while it is private. */
  publicAgeMs: number;
}

export interface StoredAttempt {
  number: number;
  purpose: AttemptPurpose;
  hash: Hash;
  rawTransaction: Hex;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
  /** Time since it was stored. */
  ageMs: number;
  /** Time since a node first accepted it; null before that. */
  broadcastAgeMs: number | null;
}

export interface TransactionRow {
  id: string;
  reference: string;
  chain: string;
  signer: Address;
  nonce: string;
  target: Address;
  data: Hex;
  value: string;
  gas_limit: string;
  status: TransactionStatus;
  hash: Hash | null;
  traceparent: string | null;
  max_cost: string | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  age_ms: string;
  is_abandoned: boolean;
  public_age_ms: string;
}

interface AttemptRow {
  number: number;
  purpose: AttemptPurpose;
  hash: Hash;
  raw_transaction: Hex;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  age_ms: string;
  broadcast_age_ms: string | null;
}

export type Queryable = Pick<EntityManager, 'query'> | Pick<DataSource, 'query'>;

export const TRANSACTION_COLUMNS = `id, reference, chain, signer, nonce, target, data, value, gas_limit, status, hash,
  traceparent, max_cost, max_fee_per_gas, max_priority_fee_per_gas,
  extract(epoch FROM clock_timestamp() - created_at) * 1000 AS age_ms,
  abandoned_at IS NOT NULL AS is_abandoned,
  extract(epoch FROM clock_timestamp() - coalesce(private_until, created_at)) * 1000 AS public_age_ms`;

export const storedTransaction = (row: TransactionRow): StoredTransaction => ({
  id: row.id,
  reference: row.reference,
  chain: row.chain,
  signer: row.signer,
  nonce: BigInt(row.nonce),
  target: row.target,
  data: row.data,
  value: BigInt(row.value),
  gasLimit: BigInt(row.gas_limit),
  status: row.status,
  hash: row.hash,
  traceparent: row.traceparent,
  maxCost: row.max_cost === null ? null : BigInt(row.max_cost),
  fees: feesOf(row),
  ageMs: Number(row.age_ms),
  isAbandoned: row.is_abandoned,
  isPrivate: Number(row.public_age_ms) < 0,
  publicAgeMs: Number(row.public_age_ms),
});

const feesOf = (row: TransactionRow): TransactionFees | null =>
  row.max_fee_per_gas === null || row.max_priority_fee_per_gas === null
    ? null
    : {
        maxFeePerGas: BigInt(row.max_fee_per_gas),
        maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
      };

/** Locks the signer's row until the transaction ends; inserts it on first use. */
export async function lockSigner(
  manager: EntityManager,
  chain: string,
  address: Address,
): Promise<{ nextNonce: bigint }> {
  await manager.query(
    `INSERT INTO chain_signers (id, chain, address, next_nonce) VALUES (gen_random_uuid(), $1, $2, 0)
     ON CONFLICT (chain, address) DO NOTHING`,
    [chain, address],
  );
  const rows: { next_nonce: string }[] = await manager.query(
    'SELECT next_nonce FROM chain_signers WHERE chain = $1 AND address = $2 FOR UPDATE',
    [chain, address],
  );
  const [row] = rows;
  if (!row) throw new Error(`no row for signer ${address} on ${chain}`);
  return { nextNonce: BigInt(row.next_nonce) };
}

/** Number of the signer's nonces that are used in final blocks. */
export async function settledCount(db: Queryable, chain: string, signer: Address): Promise<bigint> {
  const rows: { nonce: string | null }[] = await db.query(
    `SELECT max(nonce) AS nonce FROM chain_transactions
     WHERE chain = $1 AND signer = $2 AND status IN ('success', 'reverted')`,
    [chain, signer],
  );
  const nonce = rows[0]?.nonce ?? null;
  return nonce === null ? 0n : BigInt(nonce) + 1n;
}

export async function findByReference(
  db: Queryable,
  reference: string,
): Promise<StoredTransaction | null> {
  const rows: TransactionRow[] = await db.query(
    `SELECT ${TRANSACTION_COLUMNS} FROM chain_transactions WHERE reference = $1`,
    [reference],
  );
  return rows[0] ? storedTransaction(rows[0]) : null;
}

/** Inserts the unsigned transaction and advances its signer's nonce, in one statement. Due immediately. */
export async function reserveTransaction(
  manager: EntityManager,
  transaction: Omit<
    StoredTransaction,
    'status' | 'hash' | 'ageMs' | 'isAbandoned' | 'isPrivate' | 'publicAgeMs'
  > & {
    /** Time for which it is private, if it is. */
    privateForMs: number | null;
  },
): Promise<void> {
  await manager.query(
    `WITH next AS (
       UPDATE chain_signers SET next_nonce = greatest(next_nonce, $5::numeric + 1)
       WHERE chain = $3 AND address = $4
     )
     INSERT INTO chain_transactions
       (id, reference, chain, signer, nonce, target, data, value, gas_limit, traceparent, max_cost,
        max_fee_per_gas, max_priority_fee_per_gas, private_until, due_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
       now() + $14 * interval '1 millisecond', now())`,
    [
      transaction.id,
      transaction.reference,
      transaction.chain,
      transaction.signer,
      transaction.nonce.toString(),
      transaction.target,
      transaction.data,
      transaction.value.toString(),
      transaction.gasLimit.toString(),
      transaction.traceparent,
      transaction.maxCost?.toString() ?? null,
      transaction.fees?.maxFeePerGas.toString() ?? null,
      transaction.fees?.maxPriorityFeePerGas.toString() ?? null,
      transaction.privateForMs,
    ],
  );
}

const attemptParameters = (attempt: SignedAttempt): string[] => [
  attempt.purpose,
  attempt.hash,
  attempt.rawTransaction,
  attempt.maxFeePerGas.toString(),
  attempt.maxPriorityFeePerGas.toString(),
];

/**
 * Returns false when the attempt's number is taken, the transaction is settled, or its payload was given up. The lock
 * makes these changes wait.
 */
export async function insertAttempt(
  db: Queryable,
  transactionId: string,
  number: number,
  attempt: SignedAttempt,
): Promise<boolean> {
  const rows: unknown[] = await db.query(
    `INSERT INTO chain_transaction_attempts
       (transaction_id, number, purpose, hash, raw_transaction, max_fee_per_gas, max_priority_fee_per_gas)
     SELECT id, $2, $3, $4, $5, $6, $7 FROM chain_transactions
     WHERE id = $1 AND status = 'pending' AND (abandoned_at IS NULL OR $3 = 'cancellation')
     FOR SHARE
     ON CONFLICT DO NOTHING
     RETURNING number`,
    [transactionId, number, ...attemptParameters(attempt)],
  );
  return rows.length > 0;
}

/** Returns the attempts, newest first. */
export async function attemptsOf(db: Queryable, transactionId: string): Promise<StoredAttempt[]> {
  const rows: AttemptRow[] = await db.query(
    `SELECT number, purpose, hash, raw_transaction, max_fee_per_gas, max_priority_fee_per_gas,
       extract(epoch FROM clock_timestamp() - created_at) * 1000 AS age_ms,
       extract(epoch FROM clock_timestamp() - broadcast_at) * 1000 AS broadcast_age_ms
     FROM chain_transaction_attempts WHERE transaction_id = $1 ORDER BY number DESC`,
    [transactionId],
  );
  return rows.map((row) => ({
    number: row.number,
    purpose: row.purpose,
    hash: row.hash,
    rawTransaction: row.raw_transaction,
    maxFeePerGas: BigInt(row.max_fee_per_gas),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
    ageMs: Number(row.age_ms),
    broadcastAgeMs: row.broadcast_age_ms === null ? null : Number(row.broadcast_age_ms),
  }));
}

export interface MarkedAttempt {
  reference: string;
  chain: string;
  purpose: AttemptPurpose;
}

/** Returns the attempt's transaction; null when it was marked before. */
export async function markBroadcast(db: Queryable, hash: Hash): Promise<MarkedAttempt | null> {
  const rows: MarkedAttempt[] = await db.query(
    `WITH marked AS (
       UPDATE chain_transaction_attempts SET broadcast_at = now()
       WHERE hash = $1 AND broadcast_at IS NULL
       RETURNING transaction_id, purpose
     )
     SELECT reference, chain, purpose FROM marked
     JOIN chain_transactions ON id = transaction_id`,
    [hash],
  );
  return rows[0] ?? null;
}

/** Counts the waiting transactions of each signer that has some. */
export async function waitingBySigner(
  db: Queryable,
  chain: string,
  signers: readonly Address[],
): Promise<ReadonlyMap<string, number>> {
  const rows: { signer: string; waiting: number }[] = await db.query(
    `SELECT signer, count(*)::int AS waiting FROM chain_transactions
     WHERE due_at IS NOT NULL AND status = 'pending' AND chain = $1 AND signer = ANY($2)
     GROUP BY signer`,
    [chain, signers],
  );
  return new Map(rows.map(({ signer, waiting }) => [signer, waiting]));
}

/** Whether later transactions of the signer wait for this one's nonce. */
export async function hasFollowers(
  db: Queryable,
  { chain, signer, nonce }: StoredTransaction,
): Promise<boolean> {
  const rows: unknown[] = await db.query(
    `SELECT 1 FROM chain_transactions
     WHERE chain = $1 AND signer = $2 AND nonce > $3 AND status = 'pending' LIMIT 1`,
    [chain, signer, nonce.toString()],
  );
  return rows.length > 0;
}

export async function postpone(db: Queryable, id: string, ms: number): Promise<void> {
  await db.query(
    `UPDATE chain_transactions SET due_at = now() + $2 * interval '1 millisecond'
     WHERE id = $1 AND status = 'pending'`,
    [id, ms],
  );
}

/** Returns false where another pass has settled it. */
export async function markSettled(
  db: Queryable,
  id: string,
  outcome: {
    status: TransactionStatus;
    hash: Hash | null;
    blockNumber: bigint | null;
    gasCost: bigint | null;
  },
): Promise<boolean> {
  const [, settled]: [unknown, number] = await db.query(
    `UPDATE chain_transactions
     SET status = $2, hash = $3, block_number = $4, gas_cost = $5, due_at = NULL, settled_at = now()
     WHERE id = $1 AND status = 'pending'`,
    [
      id,
      outcome.status,
      outcome.hash,
      outcome.blockNumber?.toString() ?? null,
      outcome.gasCost?.toString() ?? null,
    ],
  );
  return settled > 0;
}

/** Outcome of a transaction so far, and the gas that it or its cancellation has cost, in wei. */
export interface TransactionCost {
  status: TransactionStatus;
  gasCost: bigint;
}

export async function costsOf(
  db: Queryable,
  references: readonly string[],
): Promise<TransactionCost[]> {
  const rows: { status: TransactionStatus; gas_cost: string | null }[] = await db.query(
    'SELECT status, gas_cost FROM chain_transactions WHERE reference = ANY($1)',
    [references],
  );
  return rows.map(({ status, gas_cost: wei }) => ({ status, gasCost: BigInt(wei ?? 0) }));
}

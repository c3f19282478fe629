import type { TransactionFees } from '@bascule/chain';
import type { Address } from 'viem';
import type { TransactionContent } from './signed-attempt.js';
import type { Queryable } from './transaction-store.js';

/** No key can pay for a transaction beside those that wait; nothing was recorded. Alert, and fund the keys. */
export class SignerUnfundedError extends Error {
  constructor(
    readonly chain: string,
    readonly signer: Address,
  ) {
    super(`${signer} cannot pay for another transaction on ${chain}`);
    this.name = 'SignerUnfundedError';
  }
}

type Costs = Pick<TransactionContent, 'gasLimit' | 'value'>;

/** Highest cost of a transaction, in wei. */
export const maxCostOf = ({ gasLimit, value }: Costs, { maxFeePerGas }: TransactionFees): bigint =>
  gasLimit * maxFeePerGas + value;

/**
 * Highest cost of the signer's transactions from a nonce on, in wei. Those that were mined since the balance was read are
 * among them, as it still holds their cost. A reservation has no attempt yet.
 */
const COST_FROM_NONCE = `
SELECT coalesce(sum(t.gas_limit * coalesce(a.max_fee_per_gas, t.max_fee_per_gas, 0) + t.value), 0) AS wei
FROM chain_transactions t
LEFT JOIN LATERAL (
  SELECT max_fee_per_gas FROM chain_transaction_attempts
  WHERE transaction_id = t.id ORDER BY number DESC LIMIT 1) a ON true
WHERE t.chain = $1 AND t.signer = $2 AND t.nonce >= $3`;

/** State of a key on its chain, and a transaction for it; wei. */
export interface Purse {
  minedCount: bigint;
  /** Read after the count, so that a transaction mined between them counts twice, not never. */
  balance: bigint;
  cost: bigint;
}

/** Whether the signer can pay for a transaction beside those that wait; also with a purse that is no longer new. */
export async function canPay(
  db: Queryable,
  chain: string,
  signer: Address,
  { minedCount, balance, cost }: Purse,
): Promise<boolean> {
  const rows: { wei: string }[] = await db.query(COST_FROM_NONCE, [
    chain,
    signer,
    minedCount.toString(),
  ]);
  return BigInt(rows[0]?.wei ?? 0) + cost <= balance;
}

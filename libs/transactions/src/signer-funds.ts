import { balanceOf } from '@bascule/chain';
import type { Chain, TransactionFees } from '@bascule/chain';
import type { EntityManager } from 'typeorm';
import type { Address } from 'viem';
import type { TransactionContent } from './signed-attempt.js';

/** The key cannot pay for a transaction beside those that wait; nothing was recorded. Alert, and fund the key. */
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

/** Highest cost of the signer's transactions that wait from a nonce on, in wei; they have a due time. */
const COST_OF_WAITING = `
SELECT coalesce(sum(t.gas_limit * a.max_fee_per_gas + t.value), 0) AS wei
FROM chain_transactions t
CROSS JOIN LATERAL (
  SELECT max_fee_per_gas FROM chain_transaction_attempts
  WHERE transaction_id = t.id ORDER BY number DESC LIMIT 1) a
WHERE t.due_at IS NOT NULL AND t.status = 'pending' AND t.chain = $1 AND t.signer = $2 AND t.nonce >= $3`;

/**
 * Requires that the signer can pay for a transaction beside those that wait. Its row must be locked.
 * @throws SignerUnfundedError
 */
export async function requireFunds(
  manager: EntityManager,
  chain: Chain,
  signer: Address,
  { minedCount, cost }: { minedCount: number; cost: bigint },
): Promise<void> {
  const waiting = [chain.name, signer, minedCount];
  const [balance, [row]] = await Promise.all([
    balanceOf(chain, signer),
    manager.query<{ wei: string }[]>(COST_OF_WAITING, waiting),
  ]);
  if (BigInt(row?.wei ?? 0) + cost > balance) throw new SignerUnfundedError(chain.name, signer);
}

import type { Chain } from '@bascule/chain';
import { asSimulationError, TransactionWouldRevertError } from './simulation-error.js';
import type { StoredTransaction } from './transaction-store.js';

/**
 * Whether a recorded transaction would revert or run out of gas in the present state of its chain. False where the node
 * gives another answer: broadcasting finds what else is wrong.
 */
export async function wouldRevert(
  { client }: Chain,
  { reference, signer, target, data, value, gasLimit }: StoredTransaction,
): Promise<boolean> {
  try {
    return (await client.estimateGas({ account: signer, to: target, data, value })) > gasLimit;
  } catch (error) {
    return asSimulationError(reference, error) instanceof TransactionWouldRevertError;
  }
}

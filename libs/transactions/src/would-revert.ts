import { estimateGasOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { asSimulationError, TransactionWouldRevertError } from './simulation-error.js';
import type { StoredTransaction } from './transaction-store.js';

/**
 * Whether a recorded transaction would revert or run out of gas in the present state of its chain. False where the node
 * gives another answer: broadcasting finds what else is wrong.
 */
export async function wouldRevert(
  chain: Chain,
  { reference, signer, target, data, value, gasLimit }: StoredTransaction,
): Promise<boolean> {
  try {
    const call = { account: signer, to: target, data, value };
    return (await estimateGasOf(chain, call, gasLimit)) > gasLimit;
  } catch (error) {
    return asSimulationError(reference, error) instanceof TransactionWouldRevertError;
  }
}

import { revertDataOf } from '@bascule/chain';
import type { Hex } from 'viem';

/** The simulation reverted, so nothing was recorded. */
export class TransactionWouldRevertError extends Error {
  constructor(
    readonly reference: string,
    /** Revert data of the contract, decodable with its ABI; `0x` when the node returns none. */
    readonly data: Hex,
    options: ErrorOptions,
  ) {
    super(`${reference} would revert`, options);
    this.name = 'TransactionWouldRevertError';
  }
}

/** Converts a revert into a {@link TransactionWouldRevertError} and returns other errors unchanged. */
export function asSimulationError(reference: string, error: unknown): unknown {
  const data = revertDataOf(error);
  return data === null ? error : new TransactionWouldRevertError(reference, data, { cause: error });
}

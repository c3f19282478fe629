import { BaseError, ExecutionRevertedError, RawContractError } from 'viem';
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

function revertDataOf(error: BaseError): Hex {
  const found = error.walk((cause) => cause instanceof RawContractError || hasHexData(cause));
  return hasHexData(found) ? found.data : '0x';
}

function hasHexData(error: unknown): error is { data: Hex } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'data' in error &&
    typeof error.data === 'string' &&
    error.data.startsWith('0x')
  );
}

/** Converts a revert into a {@link TransactionWouldRevertError} and returns other errors unchanged. */
export function asSimulationError(reference: string, error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const reverted = error.walk(
    (cause) => cause instanceof ExecutionRevertedError || hasHexData(cause),
  );
  return reverted
    ? new TransactionWouldRevertError(reference, revertDataOf(error), { cause: error })
    : error;
}

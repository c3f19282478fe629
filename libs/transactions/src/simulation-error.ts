import { BaseError, ExecutionRevertedError, RawContractError } from 'viem';
import type { Hex } from 'viem';

/** The chain would revert it now, so nothing was recorded. */
export class TransactionWouldRevertError extends Error {
  constructor(
    readonly reference: string,
    /** What the contract reverted with, to be decoded with its ABI; empty when the node does not say. */
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

/** A revert becomes a {@link TransactionWouldRevertError}; trouble with the node stays what it is. */
export function asSimulationError(reference: string, error: unknown): unknown {
  if (!(error instanceof BaseError)) return error;
  const reverted = error.walk(
    (cause) => cause instanceof ExecutionRevertedError || hasHexData(cause),
  );
  return reverted
    ? new TransactionWouldRevertError(reference, revertDataOf(error), { cause: error })
    : error;
}

import { actionRunnerAbi, converterAbi } from '@bascule/solidity';
import {
  BaseError,
  decodeErrorResult,
  ExecutionRevertedError,
  isHex,
  RpcRequestError,
  slice,
  size,
} from 'viem';
import type { Hex } from 'viem';

const ABI = [...actionRunnerAbi, ...converterAbi];
/** Reason of a call that had used up its gas. */
export const OUT_OF_GAS_REASON = 'out of gas';
const MAX_REASON_LENGTH = 200;
/** Messages of nodes; anvil names the kind, for example `MemoryOOG`. */
const OUT_OF_GAS = /out ?of ?gas|OOG\b|gas required exceeds/i;
/** Messages of geth, reth, erigon, nethermind, besu and anvil. */
const REVERTED =
  /\brevert(ed)?\b|invalid ?(fe)?opcode|opcode ?not ?found|bad instruction|invalid ?jump|stack ?(underflow|overflow|limit)/i;

/**
 * Revert data of a call that the contracts ended, `0x` where the node returns none. Null for any other error: it is the
 * node's, and says nothing about the contracts.
 */
export function revertDataOf(error: unknown): Hex | null {
  if (!(error instanceof BaseError)) return null;
  const found = error.walk(
    (cause) => cause instanceof Error && 'data' in cause && dataIn(cause.data) !== null,
  );
  if (found instanceof Error && 'data' in found) return dataIn(found.data);
  return error.walk(isStatedRevert) === null ? null : '0x';
}

/** Whether a call failed for a reason of the node's, so that it says nothing about the contracts. */
export const isNodeFailure = (error: unknown): boolean => revertDataOf(error) === null;

/** Whether a call ended because it had used up its gas. */
export const isOutOfGas = (error: unknown): boolean =>
  error instanceof BaseError && error.walk((cause) => OUT_OF_GAS.test(statedText(cause))) !== null;

/** Reason of a reverted call in words; contracts choose the text, so it is cut and cleaned. */
export function revertReasonText(error: unknown): string {
  const data = revertDataOf(error);
  if (data !== null && data !== '0x') return decoded(data);
  return isOutOfGas(error) ? OUT_OF_GAS_REASON : 'without a reason';
}

const isStatedRevert = (cause: unknown): boolean =>
  cause instanceof ExecutionRevertedError ||
  OUT_OF_GAS.test(statedText(cause)) ||
  REVERTED.test(statedText(cause));

/** Text of a node's error, empty for any other. */
function statedText(cause: unknown): string {
  if (!(cause instanceof RpcRequestError)) return '';
  const { details, data } = cause;
  return typeof data === 'string' ? `${details} ${data}` : details;
}

/** Nodes put revert data next to the message, or into an object of that name. */
function dataIn(data: unknown): Hex | null {
  if (typeof data === 'object' && data !== null && 'data' in data) return dataIn(data.data);
  return isHex(data) && size(data) >= 4 ? data : null;
}

function decoded(data: Hex): string {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ABI, data });
    // Only the built-in \`Error\` has a text.
    const [first]: readonly unknown[] = args ?? [];
    const text = typeof first === 'string' && !isHex(first) ? first : errorName;
    return text.replace(/[^\x20-\x7e]/g, ' ').slice(0, MAX_REASON_LENGTH);
  } catch {
    return `error ${slice(data, 0, 4)}`;
  }
}

import { actionRunnerAbi, converterAbi } from '@bascule/solidity';
import {
  BaseError,
  decodeErrorResult,
  HttpRequestError,
  InvalidParamsRpcError,
  isHex,
  LimitExceededRpcError,
  MethodNotFoundRpcError,
  slice,
  size,
  TimeoutError,
} from 'viem';
import type { Hex } from 'viem';

const ABI = [...actionRunnerAbi, ...converterAbi];
const NODE_ERRORS = [
  HttpRequestError,
  InvalidParamsRpcError,
  LimitExceededRpcError,
  MethodNotFoundRpcError,
  TimeoutError,
];
const MAX_REASON_LENGTH = 200;
const OUT_OF_GAS = /out of ?gas|gas required exceeds/i;

/** Whether a call failed for a reason of the node's, so that it says nothing about the contracts. */
export function isNodeFailure(error: unknown): boolean {
  if (!(error instanceof BaseError)) return true;
  return error.walk((cause) => NODE_ERRORS.some((type) => cause instanceof type)) !== null;
}

/** Reason of a reverted call in words; contracts choose the text, so it is cut and cleaned. */
export function revertReasonText(error: unknown): string {
  if (!(error instanceof BaseError)) return 'without a reason';
  const data = revertDataOf(error);
  if (data !== null) return decoded(data);
  return OUT_OF_GAS.test(error.message) ? 'out of gas' : 'without a reason';
}

function revertDataOf(error: BaseError): Hex | null {
  const found = error.walk(
    (cause) => cause instanceof Error && 'data' in cause && dataIn(cause.data) !== null,
  );
  return found instanceof Error && 'data' in found ? dataIn(found.data) : null;
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

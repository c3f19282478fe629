import { isTooLarge } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import {
  BaseError,
  HttpRequestError,
  MethodNotFoundRpcError,
  MethodNotSupportedRpcError,
} from 'viem';
import type { Address, Hash, Hex } from 'viem';
import { readTraces } from './block-reader.client.js';
import { isRefusal } from './native-balances.client.js';
import { nativeTransfers, PLAIN_POSITION } from './transfers.js';
import type { CallTrace, Transfer } from './transfers.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';

/** A call as geth's `callTracer` shows it. */
interface CallFrame {
  type: string;
  from: Address;
  to?: Address;
  value?: Hex;
  error?: string;
  calls?: CallFrame[];
}

interface TracedTransaction {
  txHash?: Hash;
  result?: CallFrame;
}

const TRACERS = [readTraces, readCalls] as const;
/** Time for which a node is not asked again for a method that it does not have. */
const UNSUPPORTED_MS = 600_000;
/** By node and tracer, the end of that time by a monotonic clock. */
const unsupported = new WeakMap<EndpointClient, Map<(typeof TRACERS)[number], number>>();

/**
 * Native transfers within the transactions of a block; null where the node cannot trace it.
 * @throws TracesUnavailableError where it may be able to later
 */
export async function internalTransfers(
  node: EndpointClient,
  block: { number: bigint; hash: Hash; transactions: readonly { hash: Hash }[] },
): Promise<Transfer[] | null> {
  let failure: unknown;
  for (const trace of TRACERS) {
    if ((unsupported.get(node)?.get(trace) ?? 0) > performance.now()) continue;
    try {
      const transfers = await trace(node, block);
      return transfers.filter(({ position }) => position !== PLAIN_POSITION);
    } catch (error) {
      if (!isRefused(error)) failure = error;
      if (!isUnsupported(error)) continue;
      const known = unsupported.get(node) ?? new Map<(typeof TRACERS)[number], number>();
      unsupported.set(node, known.set(trace, performance.now() + UNSUPPORTED_MS));
    }
  }
  if (failure !== undefined) throw new TracesUnavailableError(block.hash, { cause: failure });
  return null;
}

async function readCalls(
  node: EndpointClient,
  { hash, transactions }: { hash: Hash; transactions: readonly { hash: Hash }[] },
): Promise<Transfer[]> {
  const traced = await node.request<{
    Parameters: [Hash, object];
    ReturnType: TracedTransaction[];
  }>({
    method: 'debug_traceBlockByHash',
    params: [hash, { tracer: 'callTracer' }],
  });
  const traces = traced.flatMap(({ txHash, result }, index) =>
    result === undefined ? [] : flat(result, [], txHash ?? transactions[index]?.hash),
  );
  // Tracers number calls differently, so that one position may mean two calls.
  return nativeTransfers(traces).map((transfer) =>
    transfer.position === PLAIN_POSITION
      ? transfer
      : { ...transfer, position: transfer.position.replace(PLAIN_POSITION, 'call:') },
  );
}

function flat(frame: CallFrame, traceAddress: number[], hash: Hash | undefined): CallTrace[] {
  const trace = traceOf(frame);
  const inner = (frame.calls ?? []).flatMap((call, index) =>
    flat(call, [...traceAddress, index], hash),
  );
  const about = {
    traceAddress,
    ...(hash !== undefined && { transactionHash: hash }),
    ...(frame.error !== undefined && { error: frame.error }),
  };
  return [{ ...trace, ...about }, ...inner];
}

function traceOf({ type, from, to, value = '0x0' }: CallFrame): Omit<CallTrace, 'traceAddress'> {
  switch (type) {
    case 'CREATE':
    case 'CREATE2':
      return { type: 'create', action: { from, value }, ...(to && { result: { address: to } }) };
    case 'SELFDESTRUCT':
      return {
        type: 'selfdestruct',
        action: { address: from, ...(to && { refundAddress: to }), balance: value },
      };
    default:
      return {
        type: 'call',
        action: { callType: type.toLowerCase(), from, ...(to && { to }), value },
      };
  }
}

/** Hosted nodes refuse methods with statuses of their own. What is too large stays so. */
const isRefused = (error: unknown): boolean => {
  const status = statusOf(error);
  return (
    isRefusal(error) ||
    isTooLarge(error) ||
    (status !== undefined && status >= 400 && status < 500 && status !== 429)
  );
};

const UNSUPPORTED_STATUSES: readonly unknown[] = [401, 403, 404, 405];

/** Whether the node refuses the method, rather than this block. */
const isUnsupported = (error: unknown): boolean =>
  UNSUPPORTED_STATUSES.includes(statusOf(error)) ||
  (error instanceof BaseError &&
    error.walk(
      (it) => it instanceof MethodNotFoundRpcError || it instanceof MethodNotSupportedRpcError,
    ) !== null);

const statusOf = (error: unknown): number | undefined =>
  error instanceof HttpRequestError ? error.status : undefined;

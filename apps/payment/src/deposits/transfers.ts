import type { Address, Hash, Hex } from 'viem';

/** Transfer of a token; the zero address stands for the native currency. */
export interface Transfer {
  token: Address;
  from: Address;
  to: Address;
  amount: bigint;
  transactionHash: Hash;
  /** Position of the transfer in its transaction. */
  position: string;
}

/** One call of a node's `trace_block`, in OpenEthereum's format. */
export interface CallTrace {
  type: string;
  action: {
    callType?: string;
    from?: Address;
    to?: Address;
    value?: Hex;
    /** Fields of a self-destruct. */
    address?: Address;
    refundAddress?: Address;
    balance?: Hex;
  };
  result?: { address?: Address } | null;
  error?: string;
  traceAddress: number[];
  transactionHash?: Hash | null;
  blockHash?: Hash;
}

/** Position of the value that a transaction itself transfers. */
export const PLAIN_POSITION = 'trace:';

/** A call within a transaction, as `trace_block` shows it. */
export const isCall = ({ position }: Pick<Transfer, 'position'>): boolean =>
  position.startsWith(PLAIN_POSITION) && position !== PLAIN_POSITION;

const NATIVE: Address = '0x0000000000000000000000000000000000000000';

const pathOf = ({ transactionHash, traceAddress }: CallTrace): string =>
  [transactionHash, ...traceAddress].join('/');

/** Drops reverted calls and the calls within them, which moved nothing. */
function withoutUndone(traces: readonly CallTrace[]): CallTrace[] {
  const undone = new Set<string>();
  // Parents come before what they call.
  return traces.filter((trace) => {
    const parent = pathOf({ ...trace, traceAddress: trace.traceAddress.slice(0, -1) });
    const isUndone = trace.error !== undefined || undone.has(parent);
    if (isUndone) undone.add(pathOf(trace));
    return !isUndone;
  });
}

function movementOf({ type, action, result }: CallTrace) {
  switch (type) {
    case 'call':
      // Delegate and static calls move no value.
      return action.callType === 'call' || action.callType === undefined
        ? { from: action.from, to: action.to, value: action.value }
        : null;
    case 'create':
      return { from: action.from, to: result?.address, value: action.value };
    case 'suicide':
    case 'selfdestruct':
      return { from: action.address, to: action.refundAddress, value: action.balance };
    default:
      return null;
  }
}

/** Native transfers of a block, including internal calls. */
export function nativeTransfers(traces: readonly CallTrace[]): Transfer[] {
  return withoutUndone(traces).flatMap((trace): Transfer[] => {
    const movement = movementOf(trace);
    if (!movement?.from || !movement.to || !movement.value || !trace.transactionHash) return [];
    const amount = BigInt(movement.value);
    if (amount === 0n) return [];
    return [
      {
        token: NATIVE,
        from: movement.from,
        to: movement.to,
        amount,
        transactionHash: trace.transactionHash,
        position: `trace:${trace.traceAddress.join('.')}`,
      },
    ];
  });
}

/** Executions of legs in a block. */
export interface BlockExecutions {
  /** `<transaction>/<wallet>` of every executed leg. */
  executing: ReadonlySet<string>;
  converter: Address;
}

/** Transfers from outside. What the converter sends to a wallet within the wallet's own leg is no deposit. */
export function arrivals(
  transfers: readonly Transfer[],
  { executing, converter }: BlockExecutions,
): Transfer[] {
  return transfers.filter(({ from, to, amount, transactionHash }) => {
    const isOwnMovement = isSame(from, to);
    const isConverted = isSame(from, converter) && executing.has(executionKey(transactionHash, to));
    return amount > 0n && !isOwnMovement && !isConverted;
  });
}

/**
 * Transfers that any of several nodes tells of a block. What one tells as sent by the converter, another one may tell as
 * converted by a leg. Tracers number calls differently, so those of the first node count.
 */
export function toldByAny(
  readings: readonly { transfers: readonly Transfer[]; executing?: ReadonlySet<string> }[],
  converter: Address,
): Transfer[] {
  const told = readings.flatMap(({ transfers }, index) =>
    index === 0 ? transfers : transfers.filter((transfer) => !isCall(transfer)),
  );
  const executing = new Set(readings.flatMap((reading) => [...(reading.executing ?? [])]));
  return arrivals(told, { executing, converter });
}

const isSame = (one: Address, other: Address): boolean => one.toLowerCase() === other.toLowerCase();

export const executionKey = (transactionHash: Hash, wallet: Address): string =>
  `${transactionHash}/${wallet.toLowerCase()}`;

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

/**
 * Transfers from outside. The returned rest of a wallet's own conversion is no deposit.
 * @param executing `<transaction>/<wallet>` of every leg executed in the block.
 */
export function arrivals(
  transfers: readonly Transfer[],
  executing: ReadonlySet<string>,
): Transfer[] {
  return transfers.filter(({ from, to, amount, transactionHash }) => {
    const isOwnMovement = from.toLowerCase() === to.toLowerCase();
    return amount > 0n && !isOwnMovement && !executing.has(executionKey(transactionHash, to));
  });
}

export const executionKey = (transactionHash: Hash, wallet: Address): string =>
  `${transactionHash}/${wallet.toLowerCase()}`;

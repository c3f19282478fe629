import { NIL } from 'uuid';
import type { Hash } from 'viem';
import type { Transfer } from './transfers.js';

export interface BlockPointer {
  number: bigint;
  hash: Hash;
  timestamp: Date;
}

/** A scanned block, and the node that it was read from. */
export interface KeptBlock extends BlockPointer {
  /** As in `nodeIdOf`; null where there were several, or the version before has scanned it. */
  readFrom: string | null;
}

/** A block with its transfers. */
export interface ScannedBlock extends BlockPointer {
  parentHash: Hash;
  transfers: Transfer[];
  /** Executed legs, where the block was read alone; as in `BlockExecutions`. */
  executing?: ReadonlySet<string>;
  /** Wallets whose transfers the node refuses to tell, even alone. */
  unread?: readonly string[];
  /** Native transfers within calls were more than the node tells. */
  isUntraced?: boolean;
}

/** Progress of a chain's scanner. */
export interface ScanCursor {
  scanned: BlockPointer;
  /** The newest scanned block that has its confirmations. */
  confirmed: { number: bigint; timestamp: Date } | null;
  /** Newest scanned height that two nodes have had, where several are configured; null while unknown. */
  witnessed: bigint | null;
  /** Newest final height that was read from two nodes, where several are configured. */
  reread: bigint | null;
  /** Last wallet of native currency whose balance was compared after the end of its funding. */
  compared: WalletEnd | null;
}

/** Place of a wallet in the order in which fundings end. */
export interface WalletEnd {
  /** End of its funding, with all digits of the database. */
  fundBy: string;
  paymentId: string;
}

/** Place after all wallets whose funding ends before a time. */
export const endsBefore = (time: Date): WalletEnd => ({
  fundBy: time.toISOString(),
  paymentId: NIL,
});

/** Whether both are one block with one time: a node may report a block's hash, but another time. */
export const isSameBlock = (one: BlockPointer, other: BlockPointer): boolean =>
  one.hash === other.hash && one.timestamp.getTime() === other.timestamp.getTime();

/** Blocks that link to the pointer without a gap or an earlier time; a reorg during the read ends the run. */
export function linked<Block extends ScannedBlock>(from: BlockPointer, blocks: Block[]): Block[] {
  let previous = from;
  const end = blocks.findIndex((block) => {
    const breaks = block.parentHash !== previous.hash || block.timestamp < previous.timestamp;
    previous = block;
    return breaks;
  });
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** Newest scanned height that has its confirmations. */
export function confirmedHeight(scanned: bigint, head: bigint, confirmations: number): bigint {
  const deep = head - BigInt(confirmations) + 1n;
  return deep < scanned ? deep : scanned;
}

export const lowerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other);

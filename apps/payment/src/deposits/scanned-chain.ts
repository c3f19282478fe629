import type { Hash } from 'viem';
import type { Transfer } from './transfers.js';

export interface BlockPointer {
  number: bigint;
  hash: Hash;
  timestamp: Date;
}

/** A block as far as the scanner reads it. */
export interface ScannedBlock extends BlockPointer {
  parentHash: Hash;
  transfers: Transfer[];
}

/** How far the scanner of a chain has come. */
export interface ScanCursor {
  scanned: BlockPointer;
  /** The newest scanned block that has its confirmations. */
  confirmed: { number: bigint; timestamp: Date } | null;
}

/** The blocks that follow on the pointer without a break: a chain that changes while it is read ends the run. */
export function linked<Block extends ScannedBlock>(from: BlockPointer, blocks: Block[]): Block[] {
  let previous = from.hash;
  const end = blocks.findIndex((block) => {
    const breaks = block.parentHash !== previous;
    previous = block.hash;
    return breaks;
  });
  return end === -1 ? blocks : blocks.slice(0, end);
}

/** The newest height that has its confirmations, and that was scanned. */
export function confirmedHeight(scanned: bigint, head: bigint, confirmations: number): bigint {
  const deep = head - BigInt(confirmations) + 1n;
  return deep < scanned ? deep : scanned;
}

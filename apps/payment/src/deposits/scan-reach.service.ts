import { witnessesNeeded } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import { testimonyAboutBlock } from './block-witness.client.js';
import type { BlockTestimony } from './block-witness.client.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { lowerOf } from './scanned-chain.js';
import type { ScanCursor } from './scanned-chain.js';

/** Deepest reorg, in blocks, that can be traced to its common ancestor. */
export const RETENTION = 512n;
/** Blocks that a pass reads, and that one node alone can add: half of the kept ones, so that a rewind finds a kept one. */
const REACH = RETENTION / 2n;
/** Blocks above the newest one of two nodes, from which on they are asked again. */
const ASKED_AFTER = 32n;

/** A scanned block that two nodes deny, and the nodes that have it or another one. */
export interface BlockDenial extends Pick<BlockTestimony, 'holders' | 'deniers'> {
  number: bigint;
}

/** Keeps how far two nodes agree with a scan. */
@Injectable()
export class ScanReachService {
  constructor(private readonly cursors: ScanCursorRepository) {}

  /**
   * Asks all nodes about the newest scanned block below the head, once it is far above the last one that two had.
   * @returns the cursor with what they said, or their denial
   */
  async ask(
    chain: Chain,
    guard: ScanGuardRepository,
    cursor: ScanCursor,
    head: bigint,
  ): Promise<{ cursor: ScanCursor; denial: BlockDenial | null }> {
    const { scanned, witnessed } = cursor;
    const unchanged = { cursor, denial: null };
    if (witnessesNeeded(chain) === 1) return unchanged;
    const block = head < scanned.number ? await this.cursors.blockAt(chain.name, head) : scanned;
    const isNear = witnessed !== null && block !== null && block.number < witnessed + ASKED_AFTER;
    if (block === null || isNear) return unchanged;
    const { number } = block;
    const { testimony, ...nodes } = await testimonyAboutBlock(chain, block);
    if (testimony === 'denied') return { cursor, denial: { number, ...nodes } };
    if (testimony === 'unclear') return unchanged;
    await guard.transaction((manager) =>
      this.cursors.witness(manager, chain.name, guard.epoch, number),
    );
    return { cursor: { ...cursor, witnessed: number }, denial: null };
  }
}

/** Newest block that a pass may read, or confirm by: one node alone leads no further than can be undone. */
export function reachOf(
  chain: Pick<Chain, 'endpoints'>,
  scanned: bigint,
  witnessed: bigint | null,
): bigint {
  if (witnessesNeeded(chain) === 1) return scanned + REACH;
  return witnessed === null ? 0n : lowerOf(witnessed, scanned) + REACH;
}

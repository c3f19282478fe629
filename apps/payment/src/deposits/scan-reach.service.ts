import { witnessesNeeded } from '@bascule/chain';
import type { Chain, ChainDefinition } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import { testimonyAboutBlock } from './block-witness.client.js';
import type { BlockTestimony } from './block-witness.client.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { lowerOf } from './scanned-chain.js';
import type { ScanCursor } from './scanned-chain.js';

/** Time, and number of blocks at least, for which scanned blocks are kept. */
const RETENTION = { ms: 512_000, blocks: 512 };
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

/** Number of kept blocks: the deepest reorg that can be traced to its common ancestor. */
export function retentionOf({ blockTimeMs }: Pick<ChainDefinition, 'blockTimeMs'>): bigint {
  return BigInt(Math.max(RETENTION.blocks, Math.ceil(RETENTION.ms / blockTimeMs)));
}

/**
 * Newest block that a pass may read, or confirm by. A pass, and one node alone, go no further than half of the kept blocks,
 * so that a rewind finds a kept one.
 */
export function reachOf(
  chain: Pick<Chain, 'definition' | 'endpoints'>,
  scanned: bigint,
  witnessed: bigint | null,
): bigint {
  const reach = retentionOf(chain.definition) / 2n;
  if (witnessesNeeded(chain) === 1) return scanned + reach;
  return witnessed === null ? 0n : lowerOf(witnessed, scanned) + reach;
}

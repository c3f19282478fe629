import type { Chain } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import { witnessedPointer } from './block-witness.client.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import type { BlockPointer } from './scanned-chain.js';

/** Hashes and times of blocks, which no single node sets. */
@Injectable()
export class ScannedBlocksService {
  constructor(private readonly cursors: ScanCursorRepository) {}

  /**
   * Returns a block as the scanner has it, which other nodes can deny; beyond the retention as two nodes have it.
   * @throws when no two agree, or none answers
   */
  async block(chain: Chain, number: bigint): Promise<BlockPointer> {
    return (await this.cursors.blockAt(chain.name, number)) ?? witnessedPointer(chain, number);
  }
}

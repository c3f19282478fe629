import { isDevelopmentChain } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { readPointer } from './block-reader.client.js';
import { testimonyAboutBlock, witnessedPointer } from './block-witness.client.js';
import { newestHeld } from './newest-held.js';
import { RewindRefusedError } from './rewind-refused-error.js';
import type { ScanCursorRepository } from './scan-cursor.repository.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';

/** Blocks that the scanner has kept. */
interface Kept {
  cursors: Pick<ScanCursorRepository, 'blockAt' | 'blocksDownFrom'>;
  scanned: BlockPointer;
  retention: bigint;
}

/**
 * Finds the newest scanned block that the chain still has, after a reorg. Two nodes must deny all blocks above, where
 * several are configured. Null while the chain has the scanned blocks.
 * @throws RewindRefusedError
 */
export async function rewindTarget(
  chain: Chain,
  node: EndpointClient,
  { cursors, scanned, retention }: Kept,
  head: bigint,
): Promise<BlockPointer | null> {
  // A node that lags behind proves no reorg: its own blocks decide.
  const height = head < scanned.number ? head : scanned.number;
  const then = height === scanned.number ? scanned : await cursors.blockAt(chain.name, height);
  if (then === null) {
    const isNear = scanned.number - height <= retention;
    if (isNear && !isDevelopmentChain(chain.definition)) return null;
    return resetTarget(chain, scanned, height);
  }
  const now = await readPointer(node, height);
  if (now === null || isSameBlock(now, then)) return null;
  await requireDenial(chain, then);
  const older = await cursors.blocksDownFrom(chain.name, height - 1n);
  const index = await newestHeld(older, async (block) => {
    const found = await readPointer(node, block.number);
    return found !== null && isSameBlock(found, block);
  });
  const undone = older[index - 1] ?? then;
  const ancestor = older[index];
  if (ancestor !== undefined) {
    await requireDenial(chain, undone);
    return ancestor;
  }
  const below = undone.number > 0n ? undone.number - 1n : 0n;
  // All kept blocks were replaced: below the retention is a reset, else the scan began with them.
  if (scanned.number - below > retention) return resetTarget(chain, undone, below);
  await requireDenial(chain, undone);
  return witnessedPointer(chain, below);
}

/** Only development chains are rewound beyond the kept blocks: they are reset in practice. */
async function resetTarget(
  chain: Chain,
  scanned: BlockPointer,
  height: bigint,
): Promise<BlockPointer> {
  if (!isDevelopmentChain(chain.definition)) {
    throw new RewindRefusedError(chain.name, `no kept block is at or below block ${height}`);
  }
  await requireDenial(chain, scanned, { isMissingDenied: true });
  return witnessedPointer(chain, height);
}

/** @throws RewindRefusedError unless two nodes deny a scanned block, or the only one does */
async function requireDenial(
  chain: Chain,
  block: BlockPointer,
  options?: { isMissingDenied: boolean },
): Promise<void> {
  const { testimony } = await testimonyAboutBlock(chain, block, options);
  if (testimony === 'denied') return;
  const reason = `the replacement of block ${block.number} is ${testimony}`;
  throw new RewindRefusedError(chain.name, reason);
}

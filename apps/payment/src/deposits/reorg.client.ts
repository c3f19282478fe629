import { isDevelopmentChain, testimonyOf } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { readPointer } from './block-reader.client.js';
import { RewindRefusedError } from './rewind-refused-error.js';
import type { ScanCursorRepository } from './scan-cursor.repository.js';
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
    return resetTarget(chain, node, scanned, height);
  }
  const now = await readPointer(node, height);
  if (now === null || now.hash === then.hash) return null;
  await requireDenial(chain, then);
  let undone = then;
  for (const block of await cursors.blocksDownFrom(chain.name, height - 1n)) {
    const found = await readPointer(node, block.number);
    if (found?.hash === block.hash) {
      await requireDenial(chain, undone);
      return block;
    }
    undone = block;
  }
  const below = undone.number > 0n ? undone.number - 1n : 0n;
  // All kept blocks were replaced: below the retention is a reset, else the scan began with them.
  if (scanned.number - below > retention) return resetTarget(chain, node, undone, below);
  await requireDenial(chain, undone);
  return existing(chain, node, below);
}

/** Only development chains are rewound beyond the kept blocks: they are reset in practice. */
async function resetTarget(
  chain: Chain,
  node: EndpointClient,
  scanned: BlockPointer,
  height: bigint,
): Promise<BlockPointer> {
  if (!isDevelopmentChain(chain.definition)) {
    throw new RewindRefusedError(chain.name, `no kept block is at or below block ${height}`);
  }
  await requireDenial(chain, scanned, { isMissingDenied: true });
  return existing(chain, node, height);
}

/** Asks all nodes about a scanned block; those without any block at its height count only where it may be missing. */
async function requireDenial(
  chain: Chain,
  { number, hash }: BlockPointer,
  { isMissingDenied = false } = {},
): Promise<void> {
  const testimony = await testimonyOf(chain, async (endpoint) => {
    const found = await readPointer(endpoint, number);
    if (found === null && !isMissingDenied) throw new Error(`a node has no block ${number}`);
    return found?.hash === hash;
  });
  if (testimony === 'denied') return;
  throw new RewindRefusedError(chain.name, `the replacement of block ${number} is ${testimony}`);
}

async function existing(chain: Chain, node: EndpointClient, at: bigint): Promise<BlockPointer> {
  const found = await readPointer(node, at);
  if (found === null) throw new Error(`${chain.name} has no block ${at}`);
  return found;
}

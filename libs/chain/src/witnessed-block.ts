import type { Hash } from 'viem';
import type { Chain } from './chain.js';
import { witnessedAnswer } from './witnesses.js';

/** A block as two nodes have it. */
export interface WitnessedBlock {
  number: bigint;
  hash: Hash;
  /** Unix seconds. */
  timestamp: bigint;
}

/**
 * Reads hash, number and time of a block that two nodes have alike, or the only one.
 * @throws when no two agree, or none answers
 */
export const witnessedBlock = (
  chain: Pick<Chain, 'name' | 'endpoints'>,
  asked: { blockHash: Hash } | { blockNumber: bigint },
): Promise<WitnessedBlock> =>
  witnessedAnswer(
    chain,
    (node) => node.getBlock(asked),
    ({ hash, number, timestamp }) => `${hash} ${number} ${timestamp}`,
  );

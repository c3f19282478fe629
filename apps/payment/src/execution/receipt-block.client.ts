import { witnessedBlock } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import type { TransactionReceipt } from 'viem';

/** Block of a receipt. */
interface ReceiptBlock {
  blockNumber: bigint;
  blockTimestamp: Date;
}

/** End of the year 9999, in unix seconds: later times are no dates of PostgreSQL and of ISO 8601. */
const LATEST = 253_402_300_799n;

/**
 * Reads the block that a receipt names by its hash, as two nodes say alike, or the only one. A time beyond all dates counts
 * as the latest one.
 * @throws when no two agree, or none answers
 */
export async function receiptBlock(
  chain: Pick<Chain, 'name' | 'endpoints'>,
  { blockHash }: Pick<TransactionReceipt, 'blockHash'>,
): Promise<ReceiptBlock> {
  const { number, timestamp } = await witnessedBlock(chain, { blockHash });
  const seconds = timestamp < LATEST ? timestamp : LATEST;
  return { blockNumber: number, blockTimestamp: new Date(Number(seconds) * 1000) };
}

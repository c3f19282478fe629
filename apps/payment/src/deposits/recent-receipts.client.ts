import { receiptIn } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import type { TransactionReceipt } from 'viem';
import { RecentReads } from './recent-reads.js';

/** Kept receipts of each node: a large one has some megabytes. */
const KEPT = 4;

/** Reads a receipt of a node once, however many payments its transaction concerns. One that a node has not is read again. */
export class RecentReceiptsClient {
  private readonly ofNodes = new WeakMap<
    EndpointClient,
    RecentReads<string, TransactionReceipt | null>
  >();

  readonly read: typeof receiptIn = async (node, hash, blockHash) => {
    const reads = this.ofNodes.get(node) ?? new RecentReads(KEPT);
    this.ofNodes.set(node, reads);
    const key = keyOf(hash, blockHash);
    const receipt = await reads.get(key, () => receiptIn(node, hash, blockHash));
    if (receipt === null) reads.forget(key);
    return receipt;
  };

  /** Has a receipt read again from nodes that contradict each other. */
  forget(nodes: readonly EndpointClient[], hash: string, blockHash: string): void {
    for (const node of nodes) this.ofNodes.get(node)?.forget(keyOf(hash, blockHash));
  }
}

const keyOf = (hash: string, blockHash: string): string => `${hash} ${blockHash}`;

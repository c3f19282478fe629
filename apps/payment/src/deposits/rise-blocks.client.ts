import type { EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import { isAddressEqual } from 'viem';
import type { Address, Hash } from 'viem';
import { plainTransfers, readPayments } from './block-reader.client.js';
import { internalTransfers } from './internal-transfers.client.js';
import { RecentReads } from './recent-reads.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import type { Transfer } from './transfers.js';

/** Longest time for a block and its transactions, besides the trace. */
const BLOCK_MS = 10_000;
/** A node's failures with a block, or with a wallet's transfers in it, after which it is not asked again about that. */
const TRIES = 3;
const FAILURES_KEPT = 10_000;
/** Blocks of a node that are kept for further wallets that were paid in them. */
const BLOCKS_KEPT = 16;

type Block = Awaited<ReturnType<typeof readPayments>>;

interface NodeReads {
  readonly blocks: RecentReads<bigint, Block>;
  /** Transfers within the transactions of a block. */
  readonly traces: RecentReads<Hash, readonly Transfer[]>;
  readonly failures: Map<string, number>;
  /** Time of the last failure, by a monotonic clock. */
  failedAt: number;
}

/** Reads and traces each block once by a node, however many wallets a transaction in it pays. */
export class RiseBlocksClient {
  private readonly byNode = new WeakMap<EndpointClient, NodeReads>();

  /** @param traceMs longest time for the trace of a block */
  constructor(private readonly traceMs: number) {}

  block(node: EndpointClient, number: bigint): Promise<Block> {
    const read = () => withTimeout(BLOCK_MS, readPayments(node, number));
    return this.readsOf(node).blocks.get(number, read);
  }

  /** Has a block read again that the scanner does not have. */
  forget(node: EndpointClient, number: bigint): void {
    this.readsOf(node).blocks.forget(number);
  }

  /** Nodes that have not failed, or not for longest, first. */
  preferred(nodes: readonly EndpointClient[]): EndpointClient[] {
    return nodes.toSorted(
      (one, other) => this.readsOf(one).failedAt - this.readsOf(other).failedAt,
    );
  }

  /**
   * Native transfers of a block to a wallet as a node tells them, without those that it could not tell three times.
   * @throws TracesUnavailableError where it may tell them later
   */
  async transfersTo(
    wallet: Address,
    node: EndpointClient,
    pointer: BlockPointer,
  ): Promise<Transfer[]> {
    const { hash } = pointer;
    const key = `${hash}/${wallet}`;
    const traced = this.hasGivenUp(node, hash)
      ? []
      : await this.readsOf(node).traces.get(hash, () =>
          this.counted(node, hash, hash, () => this.trace(node, pointer)),
        );
    const plain = this.hasGivenUp(node, key)
      ? []
      : await this.counted(node, key, hash, () => this.plain(node, pointer, wallet));
    return [...plain, ...traced];
  }

  /** Transfers within the transactions of a block; none where the node cannot trace it, or has another block. */
  private async trace(node: EndpointClient, pointer: BlockPointer): Promise<Transfer[]> {
    const block = await this.block(node, pointer.number);
    if (!isSameBlock(pointer, block)) return [];
    return (await withTimeout(this.traceMs, internalTransfers(node, block))) ?? [];
  }

  private async plain(
    node: EndpointClient,
    pointer: BlockPointer,
    wallet: Address,
  ): Promise<Transfer[]> {
    const block = await this.block(node, pointer.number);
    if (!isSameBlock(pointer, block)) return [];
    const { hash, payments } = block;
    const own = payments.filter(({ to }) => isAddressEqual(to, wallet));
    return withTimeout(BLOCK_MS, plainTransfers(node, hash, own));
  }

  private hasGivenUp(node: EndpointClient, key: string): boolean {
    return (this.readsOf(node).failures.get(key) ?? 0) >= TRIES;
  }

  private async counted<T>(
    node: EndpointClient,
    key: string,
    block: Hash,
    read: () => Promise<T>,
  ): Promise<T> {
    try {
      return await read();
    } catch (error) {
      const reads = this.readsOf(node);
      reads.failedAt = performance.now();
      const failures = (reads.failures.get(key) ?? 0) + 1;
      reads.failures.delete(key);
      reads.failures.set(key, failures);
      const [oldest] = reads.failures.keys();
      if (reads.failures.size > FAILURES_KEPT && oldest !== undefined) {
        reads.failures.delete(oldest);
      }
      throw new TracesUnavailableError(block, { cause: error });
    }
  }

  private readsOf(node: EndpointClient): NodeReads {
    const known = this.byNode.get(node);
    if (known !== undefined) return known;
    const reads: NodeReads = {
      blocks: new RecentReads(BLOCKS_KEPT),
      traces: new RecentReads(BLOCKS_KEPT),
      failures: new Map(),
      failedAt: 0,
    };
    this.byNode.set(node, reads);
    return reads;
  }
}

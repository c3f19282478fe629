import { ZERO_ADDRESS } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import type { Hash } from 'viem';
import { plainTransfers, readPayments } from './block-reader.client.js';
import { internalTransfers } from './internal-transfers.client.js';
import { RecentReads } from './recent-reads.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import { PLAIN_POSITION } from './transfers.js';
import type { Transfer } from './transfers.js';

/** Longest time for a block and its transactions, besides the trace. */
const BLOCK_MS = 10_000;
/** A node's failures to tell the transfers of a block after which it is not asked again. */
const TRIES = 3;
const FAILURES_KEPT = 10_000;
/** Blocks of a node that are kept for further wallets that were paid in them. */
const BLOCKS_KEPT = 16;

type Block = Awaited<ReturnType<typeof readPayments>>;

interface NodeReads {
  readonly blocks: RecentReads<bigint, Block>;
  /** Transfers within the transactions of a block; null where the node has another one. */
  readonly traces: RecentReads<Hash, readonly Transfer[] | null>;
  /** Failures to tell transfers, by block. */
  readonly failures: Map<Hash, number>;
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

  /**
   * Native transfers of a block as a node tells them; null where it has another block, or has failed three times.
   * @param isWanted chooses transfers, before receipts are read for them
   * @throws TracesUnavailableError where it may tell them later
   */
  async transfers(
    node: EndpointClient,
    pointer: BlockPointer,
    isWanted: (transfer: Transfer) => boolean,
  ): Promise<Transfer[] | null> {
    const { hash, number } = pointer;
    const { traces, failures } = this.readsOf(node);
    if ((failures.get(hash) ?? 0) >= TRIES) return null;
    const traced = await traces.get(hash, () => this.trace(node, pointer));
    if (traced === null) {
      // It may be on a fork.
      this.forget(node, number);
      traces.forget(hash);
      return null;
    }
    try {
      const { payments } = await this.block(node, number);
      const wanted = payments.filter((payment) => isWanted(transferOf(payment)));
      const plain = await withTimeout(BLOCK_MS, plainTransfers(node, hash, wanted));
      return [...plain, ...traced.filter(isWanted)];
    } catch (error) {
      throw this.failure(node, hash, error);
    }
  }

  /** Null where the node has another block. */
  private async trace(node: EndpointClient, pointer: BlockPointer): Promise<Transfer[] | null> {
    try {
      const block = await this.block(node, pointer.number);
      if (!isSameBlock(pointer, block)) return null;
      const found = (await withTimeout(this.traceMs, internalTransfers(node, block))) ?? [];
      const hashes = new Set(block.transactions.map(({ hash }) => hash));
      return found.filter(({ transactionHash }) => hashes.has(transactionHash));
    } catch (error) {
      throw this.failure(node, pointer.hash, error);
    }
  }

  /** Counts a failure with a block. */
  private failure(node: EndpointClient, block: Hash, cause: unknown): TracesUnavailableError {
    const { failures } = this.readsOf(node);
    const count = (failures.get(block) ?? 0) + 1;
    failures.delete(block);
    failures.set(block, count);
    const [oldest] = failures.keys();
    if (failures.size > FAILURES_KEPT && oldest !== undefined) failures.delete(oldest);
    return new TracesUnavailableError(block, { cause });
  }

  private readsOf(node: EndpointClient): NodeReads {
    const known = this.byNode.get(node);
    if (known !== undefined) return known;
    const reads: NodeReads = {
      blocks: new RecentReads(BLOCKS_KEPT),
      traces: new RecentReads(BLOCKS_KEPT),
      failures: new Map(),
    };
    this.byNode.set(node, reads);
    return reads;
  }
}

const transferOf = ({ hash, from, to, value }: Block['payments'][number]): Transfer => ({
  ...{ token: ZERO_ADDRESS, from, to, amount: value },
  ...{ transactionHash: hash, position: PLAIN_POSITION },
});

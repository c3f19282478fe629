import { ZERO_ADDRESS } from '@bascule/chain';
import type { EndpointClient } from '@bascule/chain';
import { withTimeout } from '@bascule/process';
import type { Hash } from 'viem';
import { hasAddresses, plainTransfers, readPayments } from './block-reader.client.js';
import { internalTransfers } from './internal-transfers.client.js';
import { RecentReads } from './recent-reads.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import { PLAIN_POSITION } from './transfers.js';
import type { Transfer } from './transfers.js';

/** Longest time for a block and its transactions, besides the trace. */
const BLOCK_MS = 10_000;
/** A node's failures to tell or to trace the transfers of a block after which it is not asked for them again. */
const TRIES = 3;
/** Time after a counted failure in which no further one counts: many wallets may ask for a block at once. */
const FAILURE_MS = 5_000;
const FAILURES_KEPT = 10_000;
/** Blocks of a node that are kept for further wallets that were paid in them. */
const BLOCKS_KEPT = 16;

const CALL_POSITION = /^(trace|call):\d+(\.\d+)*$/;

type Block = Awaited<ReturnType<typeof readPayments>>;

/** Native transfers of a block as a node tells them. */
interface Told {
  /** Plain ones are told even where the trace fails; null where the node has another block, or does not tell these. */
  transfers: Transfer[] | null;
  /** Set where the node may tell more later. */
  failure?: TracesUnavailableError;
}

interface NodeReads {
  readonly blocks: RecentReads<bigint, Block>;
  /** Transfers within the transactions of a block; null where the node has failed too often. */
  readonly traces: RecentReads<Hash, readonly Transfer[] | null>;
  /** Failures to tell plain transfers and to trace, by block. */
  readonly failures: { readonly plain: Failures; readonly traces: Failures };
}

/** Number of failures, and the time of the last counted one by a monotonic clock, by block. */
type Failures = Map<Hash, { count: number; at: number }>;

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

  /** Has a block read and traced again, by nodes that failed three times, too. */
  readAgain(node: EndpointClient, { number, hash }: BlockPointer): void {
    const { traces, failures } = this.readsOf(node);
    this.forget(node, number);
    traces.forget(hash);
    failures.plain.delete(hash);
    failures.traces.delete(hash);
  }

  /**
   * Asks a node for native transfers of a block. What fails three times is asked for no more.
   * @param isWanted chooses transfers, before receipts are read for them
   */
  async told(
    node: EndpointClient,
    pointer: BlockPointer,
    isWanted: (transfer: Transfer) => boolean,
  ): Promise<Told> {
    const { hash } = pointer;
    const { traces, failures } = this.readsOf(node);
    let transfers: Transfer[] | null = null;
    try {
      const read = () => this.plain(node, pointer, isWanted);
      const found = await tried(failures.plain, hash, read);
      if (found === null) return { transfers };
      transfers = found.plain;
      const trace = () => this.trace(node, found.block);
      const calls = await traces.get(hash, () => tried(failures.traces, hash, trace));
      return { transfers: [...transfers, ...(calls ?? []).filter(isWanted)] };
    } catch (failure) {
      if (!(failure instanceof TracesUnavailableError)) throw failure;
      return { transfers, failure };
    }
  }

  /** Null where the node has another block. */
  private async plain(
    node: EndpointClient,
    pointer: BlockPointer,
    isWanted: (transfer: Transfer) => boolean,
  ): Promise<{ block: Block; plain: Transfer[] } | null> {
    const block = await this.block(node, pointer.number);
    if (!isSameBlock(pointer, block)) {
      // It may be on a fork.
      this.forget(node, pointer.number);
      return null;
    }
    const wanted = block.payments.filter((payment) => isWanted(transferOf(payment)));
    const plain = await withTimeout(BLOCK_MS, plainTransfers(node, block.hash, wanted));
    return { block, plain };
  }

  private async trace(node: EndpointClient, block: Block): Promise<Transfer[]> {
    const found = (await withTimeout(this.traceMs, internalTransfers(node, block))) ?? [];
    const hashes = new Set(block.transactions.map(({ hash }) => hash));
    return found.filter(
      (call) =>
        hashes.has(call.transactionHash) && CALL_POSITION.test(call.position) && hasAddresses(call),
    );
  }

  private readsOf(node: EndpointClient): NodeReads {
    const known = this.byNode.get(node);
    if (known !== undefined) return known;
    const reads: NodeReads = {
      blocks: new RecentReads(BLOCKS_KEPT),
      traces: new RecentReads(BLOCKS_KEPT),
      failures: { plain: new Map(), traces: new Map() },
    };
    this.byNode.set(node, reads);
    return reads;
  }
}

const transferOf = ({ hash, from, to, value }: Block['payments'][number]): Transfer => ({
  ...{ token: ZERO_ADDRESS, from, to, amount: value },
  ...{ transactionHash: hash, position: PLAIN_POSITION },
});

/**
 * Reads something of a block, and counts its failures; null after three.
 * @throws TracesUnavailableError where it may be read later
 */
async function tried<T>(
  failures: Failures,
  block: Hash,
  read: () => Promise<T>,
): Promise<T | null> {
  if ((failures.get(block)?.count ?? 0) >= TRIES) return null;
  try {
    return await read();
  } catch (cause) {
    noteFailure(failures, block);
    throw new TracesUnavailableError(block, { cause });
  }
}

function noteFailure(failures: Failures, block: Hash): void {
  const { count, at } = failures.get(block) ?? { count: 0, at: -Infinity };
  const now = performance.now();
  if (now - at < FAILURE_MS) return;
  failures.delete(block);
  failures.set(block, { count: count + 1, at: now });
  const [oldest] = failures.keys();
  if (failures.size > FAILURES_KEPT && oldest !== undefined) failures.delete(oldest);
}

import type { Chain, EndpointClient } from '@bascule/chain';
import { TimeoutError, withTimeout } from '@bascule/process';
import type { Hash } from 'viem';
import { readPayments } from './block-reader.client.js';
import { internalTransfers } from './internal-transfers.client.js';
import { RecentReads } from './recent-reads.js';
import { TracesUnavailableError } from './traces-unavailable-error.js';
import type { Transfer } from './transfers.js';

/** Failures to trace a block after which its senders count as unknown. */
const TRACE_TRIES = 3;
const FAILURES_KEPT = 10_000;
/** Blocks kept for further wallets that were paid in them. */
const BLOCKS_KEPT = 16;

type Block = Awaited<ReturnType<typeof readPayments>>;

/** A block in which money arrived, with its transfers within calls. */
export interface RiseBlock {
  block: Block;
  traced: readonly Transfer[];
}

/** Reads and traces each block once, however many wallets a transaction in it pays. */
export class RiseBlocksClient {
  private readonly blocks = new RecentReads<Block>(BLOCKS_KEPT);
  private readonly traces = new RecentReads<Transfer[]>(BLOCKS_KEPT);
  private readonly failures = new Map<Hash, number>();

  /** @param traceMs longest time for the trace of a block */
  constructor(private readonly traceMs: number) {}

  /** @throws TracesUnavailableError */
  async read(chain: Chain, node: EndpointClient, number: bigint): Promise<RiseBlock> {
    const block = await this.blocks.get(keyOf(chain, number), () => readPayments(node, number));
    const failures = this.failures.get(block.hash) ?? 0;
    if (failures >= TRACE_TRIES) return { block, traced: [] };
    const read = () => this.trace(chain, node, block);
    return { block, traced: await this.traces.get(`${chain.name}/${block.hash}`, read) };
  }

  /** Has a block read again that the scanner does not have. */
  forget(chain: Chain, number: bigint): void {
    this.blocks.forget(keyOf(chain, number));
  }

  /** Transfers within the transactions of a block; none where no node can trace. */
  private async trace(chain: Chain, node: EndpointClient, block: Block): Promise<Transfer[]> {
    const others = chain.endpoints.filter((endpoint) => endpoint !== node);
    try {
      const found = await withTimeout(this.traceMs, internalTransfers([node, ...others], block));
      return found ?? [];
    } catch (error) {
      this.countFailure(block.hash);
      if (!(error instanceof TimeoutError)) throw error;
      throw new TracesUnavailableError(block.hash, { cause: error });
    }
  }

  private countFailure(block: Hash): void {
    const failures = (this.failures.get(block) ?? 0) + 1;
    this.failures.delete(block);
    this.failures.set(block, failures);
    const [oldest] = this.failures.keys();
    if (this.failures.size > FAILURES_KEPT && oldest !== undefined) this.failures.delete(oldest);
  }
}

const keyOf = ({ name }: Chain, number: bigint): string => `${name}/${number}`;

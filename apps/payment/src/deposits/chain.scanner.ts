import { agreedHead } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { readBlock, readPointer } from './block-reader.client.js';
import { DepositsService } from './deposits.service.js';
import { LandingsService } from './landings.service.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { confirmedHeight, linked } from './scanned-chain.js';
import type { BlockPointer, ScanCursor } from './scanned-chain.js';
import { firstBlockAfter } from './start-block.client.js';

const BLOCKS_AT_ONCE = 20;
/** How many blocks a reorganisation may undo and still be traced to where it began. */
const RETENTION = 512n;
/** A block's time may be behind that of a payment whose deposit it holds. */
const CLOCK_MARGIN_MS = 120_000;

export interface ScanResult {
  /** A payment has all it needs. */
  isFunded: boolean;
  scanned: bigint;
  head: bigint;
}

/** Reads a chain block by block, once for all payments. */
@Injectable()
export class ChainScanner {
  private readonly failures = new Map<string, number>();

  constructor(
    private readonly cursors: ScanCursorRepository,
    private readonly deposits: DepositsService,
    private readonly landings: LandingsService,
    private readonly context: ServiceContext,
  ) {}

  /** One pass: back to where the chain changed, on to its head, and what became final on the way. */
  async scan(chain: Chain, guard: ScanGuardRepository): Promise<ScanResult> {
    const head = await agreedHead(chain);
    // A node may know the head and yet fail at reading blocks: then the next one is read.
    const failures = this.failures.get(chain.name) ?? 0;
    const node = head.endpoints[failures % head.endpoints.length];
    if (!node) throw new Error(`no RPC endpoint of ${chain.name} has its agreed head`);
    try {
      return await this.scanFrom(node, chain, guard, head.number);
    } catch (error) {
      this.failures.set(chain.name, failures + 1);
      throw error;
    }
  }

  private async scanFrom(
    node: EndpointClient,
    chain: Chain,
    guard: ScanGuardRepository,
    head: bigint,
  ): Promise<ScanResult> {
    const known = (await this.cursors.find(chain.name)) ?? (await this.begin(chain, node, guard));
    let scanned = await this.onChain(chain, node, guard, known, head);
    let isFunded = await this.confirm(chain, node, guard, scanned, head);
    const { stopping } = this.context.shutdown;
    while (scanned.number < head && !stopping.aborted) {
      const next = await this.advance(chain, node, guard, scanned, head);
      if (next === null) break;
      scanned = next;
      isFunded = (await this.confirm(chain, node, guard, scanned, head)) || isFunded;
    }
    return { isFunded, scanned: scanned.number, head };
  }

  /** The first time: from before the oldest payment that may still be funded. The head is read before payments are. */
  private async begin(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
  ): Promise<ScanCursor> {
    const head = await node.getBlockNumber({ cacheTime: 0 });
    const oldest = await this.cursors.oldestOpenPayment();
    const since = oldest && new Date(oldest.getTime() - CLOCK_MARGIN_MS);
    const first = since === null ? head : await firstBlockAfter(node, since, head);
    const start = await readPointer(node, first > 0n ? first - 1n : 0n);
    if (!start) throw new Error(`${chain.name} has no block ${first}`);
    await guard.transaction(async (manager) => {
      await this.cursors.advance(manager, chain.name, guard.epoch, [start], RETENTION);
      // Nothing before it matters, so nothing of it needs confirmations.
      await this.cursors.confirm(manager, chain.name, guard.epoch, start);
    });
    this.context.logger.info({ chain: chain.name, from: first.toString() }, 'scanning begins');
    return { scanned: start, confirmed: start };
  }

  /** The cursor, moved back when the chain has other blocks than it had when they were scanned. */
  private async onChain(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    { scanned }: ScanCursor,
    head: bigint,
  ): Promise<BlockPointer> {
    // A node that is behind has lost nothing: what it does have decides.
    const height = head < scanned.number ? head : scanned.number;
    const then =
      height === scanned.number ? scanned : await this.cursors.blockAt(chain.name, height);
    const now = await readPointer(node, height);
    if (!now || then?.hash === now.hash) return scanned;
    // A chain that is behind all that is remembered of it began anew, or so far back that it comes to the same.
    const ancestor = then === null ? now : await this.commonAncestor(chain, node, height);
    this.context.logger.warn(
      { chain: chain.name, from: scanned.number.toString(), to: ancestor.number.toString() },
      'the chain was reorganised',
    );
    await this.deposits.undo(guard, chain.name, ancestor.number);
    await guard.transaction((manager) =>
      this.cursors.rewind(manager, chain.name, guard.epoch, ancestor),
    );
    return ancestor;
  }

  private async commonAncestor(
    chain: Chain,
    node: EndpointClient,
    below: bigint,
  ): Promise<BlockPointer> {
    let oldest = below;
    for (const then of await this.cursors.blocksDownFrom(chain.name, below - 1n)) {
      const now = await readPointer(node, then.number);
      if (now?.hash === then.hash) return then;
      oldest = then.number;
    }
    const before = await readPointer(node, oldest > 0n ? oldest - 1n : 0n);
    if (!before) throw new Error(`${chain.name} has no block below ${oldest}`);
    return before;
  }

  /** Null when the chain changed while it was read: the next pass sees how. */
  private async advance(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    from: BlockPointer,
    head: bigint,
  ): Promise<BlockPointer | null> {
    const count = Math.min(Number(head - from.number), BLOCKS_AT_ONCE);
    const numbers = Array.from({ length: count }, (_, index) => from.number + BigInt(index + 1));
    const read = await Promise.all(
      numbers.map((number) => readBlock(node, chain.definition, number)),
    );
    const blocks = linked(from, read);
    const last = blocks.at(-1);
    if (!last) return null;
    await this.deposits.record(guard, chain.name, blocks);
    await guard.transaction((manager) =>
      this.cursors.advance(manager, chain.name, guard.epoch, blocks, RETENTION),
    );
    return last;
  }

  private async confirm(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    scanned: BlockPointer,
    head: bigint,
  ): Promise<boolean> {
    const height = confirmedHeight(scanned.number, head, chain.definition.confirmations);
    const before = (await this.cursors.find(chain.name))?.confirmed?.number ?? height - 1n;
    const final = height === scanned.number ? scanned : await this.finalBlock(chain, height);
    if (!final || height <= before) return false;
    const latest = confirmedHeight(head, head, chain.definition.confirmations);
    await this.landings.record(guard, node, chain.name, before + 1n, final, latest);
    const isFunded = await this.deposits.confirm(guard, chain.name, height);
    await guard.transaction((manager) =>
      this.cursors.confirm(manager, chain.name, guard.epoch, final),
    );
    return isFunded;
  }

  private finalBlock(chain: Chain, height: bigint): Promise<BlockPointer | null> {
    return height < 0n ? Promise.resolve(null) : this.cursors.blockAt(chain.name, height);
  }
}

import { agreedHead } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { readBlocks } from './block-reader.client.js';
import { witnessedPointer } from './block-witness.client.js';
import { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import { MinedWithdrawalsService } from './mined-withdrawals.service.js';
import { NativeMoneyService } from './native-money.service.js';
import { NativeSearchWorker } from './native-search.worker.js';
import { NativeSearchesRepository } from './native-searches.repository.js';
import { nodeIdOf } from './node-id.js';
import { NodeOrderService } from './node-order.service.js';
import { rewindTarget } from './reorg.client.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { reachOf, retentionOf, ScanReachService } from './scan-reach.service.js';
import type { BlockDenial } from './scan-reach.service.js';
import { SetAsideRepository } from './set-aside.repository.js';
import { confirmedHeight, endsBefore, linked, lowerOf } from './scanned-chain.js';
import type { BlockPointer, ScanCursor } from './scanned-chain.js';
import { firstBlockAfter } from './start-block.client.js';

const BLOCKS_AT_ONCE = 20;
/** Largest lag of a block's time behind the confirmation of a payment that it funds. */
const CLOCK_MARGIN_MS = 120_000;

export interface ScanResult {
  /** A payment became funded in full. */
  isFunded: boolean;
  scanned: bigint;
  head: bigint;
}

interface AgreedHead {
  head: bigint;
  /** Nodes that have the head. */
  endpoints: readonly EndpointClient[];
}

/** Scans a chain block by block, once for all payments. */
@Injectable()
export class ChainScanner {
  private readonly order = new NodeOrderService();

  constructor(
    private readonly cursors: ScanCursorRepository,
    private readonly reach: ScanReachService,
    private readonly deposits: DepositsService,
    private readonly recorded: DepositRepository,
    private readonly native: NativeMoneyService,
    private readonly searches: NativeSearchesRepository,
    private readonly searchWorker: NativeSearchWorker,
    private readonly recorder: MinedWithdrawalsService,
    private readonly aside: SetAsideRepository,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Makes one pass: undoes reorged blocks, reads up to the head, or as far as one pass goes, and confirms final blocks.
   * What two nodes deny is undone and read again by one of them.
   */
  async scan(chain: Chain, guard: ScanGuardRepository): Promise<ScanResult> {
    const known = await this.cursors.find(chain.name);
    const notBelow = known ? known.scanned.number - retentionOf(chain.definition) : 0n;
    const { number: head, endpoints } = await agreedHead(chain, { notBelow });
    const { cursor, denial } = known
      ? await this.reach.ask(chain, guard, known, head)
      : { cursor: null, denial: null };
    for (const holder of denial?.holders ?? []) this.order.noteFailure(holder);
    const [node] = this.order.preferred(denial?.deniers ?? endpoints);
    if (!node) throw new Error(`no RPC endpoint of ${chain.name} has its agreed head`);
    try {
      const from = cursor ?? (await this.begin(chain, node, guard, head));
      return await this.scanFrom(node, chain, guard, from, { head, endpoints, denial });
    } catch (error) {
      // A node may have the head and still lie, or fail to read blocks: the next pass uses another one.
      this.order.noteFailure(node);
      throw error;
    }
  }

  private async scanFrom(
    node: EndpointClient,
    chain: Chain,
    guard: ScanGuardRepository,
    cursor: ScanCursor,
    { head, endpoints, denial }: AgreedHead & { denial: BlockDenial | null },
  ): Promise<ScanResult> {
    const top = denial?.number ?? head;
    let scanned = await this.onChain(chain, node, guard, cursor, top);
    const end = lowerOf(top, reachOf(chain, scanned.number, cursor.witnessed));
    if (scanned === cursor.scanned) requireProgress(chain, scanned.number, { end, top, denial });
    let isFunded = await this.confirm(chain, node, guard, scanned, { end, head, endpoints });
    const { stopping } = this.context.shutdown;
    while (scanned.number < end && !stopping.aborted) {
      scanned = await this.advance(chain, node, guard, scanned, end);
      isFunded =
        (await this.confirm(chain, node, guard, scanned, { end, head, endpoints })) || isFunded;
    }
    return { isFunded, scanned: scanned.number, head };
  }

  /** Starts before the oldest open payment; the head must be read before the payments. */
  private async begin(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    head: bigint,
  ): Promise<ScanCursor> {
    const oldest = await this.cursors.oldestOpenPayment();
    const since = oldest && new Date(oldest.getTime() - CLOCK_MARGIN_MS);
    const first = since === null ? head : await firstBlockAfter(node, since, head);
    const start = await witnessedPointer(chain, first > 0n ? first - 1n : 0n);
    if (start.number > 0n && since !== null && start.timestamp >= since) {
      throw new Error(`a node of ${chain.name} has wrong times of blocks below ${first}`);
    }
    const retention = retentionOf(chain.definition);
    const compared = endsBefore(start.timestamp);
    await guard.transaction(async (manager) => {
      const source = { readFrom: nodeIdOf(node), retention };
      await this.cursors.advance(manager, chain.name, guard.epoch, [start], source);
      await this.cursors.witness(manager, chain.name, guard.epoch, start.number);
      // Earlier blocks hold no deposit, so the start counts as confirmed.
      const final = { ...start, comparedTo: compared };
      await this.cursors.confirm(manager, chain.name, guard.epoch, final);
    });
    this.context.logger.info({ chain: chain.name, from: first.toString() }, 'scan started');
    const { number } = start;
    return { scanned: start, confirmed: start, witnessed: number, reread: number, compared };
  }

  /** Returns the cursor, moved back to the common ancestor after a reorg. */
  private async onChain(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    { scanned }: ScanCursor,
    head: bigint,
  ): Promise<BlockPointer> {
    const kept = { cursors: this.cursors, scanned, retention: retentionOf(chain.definition) };
    const ancestor = await rewindTarget(chain, node, kept, head);
    if (ancestor === null) return scanned;
    this.context.logger.warn(
      { chain: chain.name, from: scanned.number.toString(), to: ancestor.number.toString() },
      'reorg detected',
    );
    const failed = await this.deposits.undo(guard, chain.name, ancestor.number);
    await guard.transaction(async (manager) => {
      await this.cursors.rewind(manager, chain.name, guard.epoch, ancestor);
      await this.aside.put(manager, chain.name, failed);
    });
    return ancestor;
  }

  /** @throws where no block follows: the node lies, or a reorg came during the read, which the next pass handles */
  private async advance(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    from: BlockPointer,
    head: bigint,
  ): Promise<BlockPointer> {
    const count = Math.min(Number(head - from.number), BLOCKS_AT_ONCE);
    const numbers = Array.from({ length: count }, (_, index) => from.number + BigInt(index + 1));
    const read = await readBlocks(node, chain.definition, numbers, this.recorded);
    const blocks = linked(from, read);
    const last = blocks.at(-1);
    if (!last) throw new Error(`no block of ${chain.name} follows block ${from.number}`);
    this.native.noteUntraced(chain, blocks);
    const failed = await this.deposits.record(guard, chain.name, blocks);
    const source = { readFrom: nodeIdOf(node), retention: retentionOf(chain.definition) };
    await guard.transaction(async (manager) => {
      await this.cursors.advance(manager, chain.name, guard.epoch, blocks, source);
      await this.aside.put(manager, chain.name, failed);
    });
    return last;
  }

  private async confirm(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    scanned: BlockPointer,
    { end, head, endpoints }: AgreedHead & { end: bigint },
  ): Promise<boolean> {
    const height = confirmedHeight(scanned.number, end, chain.definition.confirmations);
    const cursor = await this.cursors.find(chain.name);
    const before = cursor?.confirmed?.number ?? height - 1n;
    const final = height === scanned.number ? scanned : await this.finalBlock(chain, height);
    if (!final || height <= before) return false;
    const latest = confirmedHeight(head, head, chain.definition.confirmations);
    const logs = await this.recorder.find(node, chain, { from: before + 1n, to: height });
    const heights = { newest: height, latest };
    const isFarBehind = head - scanned.number > BigInt(BLOCKS_AT_ONCE);
    const withdrawn = await this.recorder.record(guard, chain, logs, heights);
    const look = await this.native.look(node, chain, {
      epoch: guard.epoch,
      final,
      scanned: scanned.number,
      compared: cursor?.compared ?? null,
      // While the scan catches up, it waits for no other node.
      others: isFarBehind ? [] : endpoints.filter((it) => it !== node),
    });
    const { isFunded, failed } = await this.deposits.confirm(guard, chain, height, withdrawn);
    await guard.transaction(async (manager) => {
      if (look !== null) await this.searches.note(manager, chain.name, look);
      const readFrom = nodeIdOf(node);
      await this.cursors.readBy(manager, chain.name, { from: before + 1n, to: height, readFrom });
      const confirmed = { ...final, comparedTo: look?.comparedTo ?? null, isFarBehind };
      await this.cursors.confirm(manager, chain.name, guard.epoch, confirmed);
      await this.aside.put(manager, chain.name, [...withdrawn, ...failed]);
    });
    if (look?.isOfAll === true) this.native.noteCompared(chain.name, height);
    if (look !== null && look.unexplained.length > 0) this.searchWorker.wake();
    return isFunded;
  }

  private finalBlock(chain: Chain, height: bigint): Promise<BlockPointer | null> {
    return height < 0n ? Promise.resolve(null) : this.cursors.blockAt(chain.name, height);
  }
}

/** @throws where a pass can neither read a block nor undo one */
function requireProgress(
  { name }: Chain,
  scanned: bigint,
  { end, top, denial }: { end: bigint; top: bigint; denial: BlockDenial | null },
): void {
  if (denial) throw new Error(`a node of ${name} has block ${denial.number} that it denied before`);
  if (scanned >= top || scanned < end) return;
  throw new Error(`no second node of ${name} has block ${scanned}: the scan waits for one`);
}

import { Chains, witnessesNeeded } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { RepeatedWarning, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { DataSource } from 'typeorm';
import { readBlocks } from './block-reader.client.js';
import { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import { MinedWithdrawalsService } from './mined-withdrawals.service.js';
import { nodeIdOf } from './node-id.js';
import { NodeOrderService } from './node-order.service.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import { ScannedBlocksService } from './scanned-blocks.service.js';
import { SetAsideRepository } from './set-aside.repository.js';
import type { DatedLog } from './withdrawn-logs.js';

const BLOCKS_AT_ONCE = 20;
/** Longest times for the blocks of one node, and for a single one: it may have to be read in parts. */
const READ_MS = 30_000;
const READ_ALONE_MS = 90_000;
/** Characters of an error that tell a new reason. */
const REASON_LENGTH = 80;
/** Age of blocks, by the newest final one, from which on they are skipped. */
const SKIPPED_AFTER_MS = 24 * 3_600_000;

/** A payment with a block of which not all is recorded. */
interface Missed {
  paymentId: string;
  block: bigint;
}

/** Result of reading the first of the due blocks. */
interface Reading {
  last: BlockPointer;
  missed: Missed[];
}

interface NodeReading extends Reading {
  node: EndpointClient;
  /** Blocks of which the node refuses the logs of some wallets. */
  refused: ReadonlySet<bigint>;
}

/** Blocks that are read at once. */
interface DueBlocks {
  numbers: readonly bigint[];
  /** As far as they are kept. */
  kept: readonly BlockPointer[];
  /** Node that they were scanned from; null where nobody knows any more. */
  readFrom: string | null;
}

/**
 * Reads final blocks from another node than the scanned one. Payments of which that one tells more are set aside with these
 * blocks, which are then read again from both.
 */
@Injectable()
export class SecondReadingService {
  private readonly order = new NodeOrderService();
  private readonly leftOut: Counter<'chain'>;
  private readonly skipped: Counter<'chain'>;
  /** Blocks to read at once, by chain: fewer after a failure. */
  private readonly sizes = new Map<string, number>();
  private readonly warnings = new Map<string, RepeatedWarning>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly cursors: ScanCursorRepository,
    private readonly deposits: DepositsService,
    private readonly watched: DepositRepository,
    private readonly withdrawals: MinedWithdrawalsService,
    private readonly scanned: ScannedBlocksService,
    private readonly aside: SetAsideRepository,
    private readonly context: ServiceContext,
    chains: Chains,
  ) {
    const shared = { labelNames: ['chain'] as const, registers: [context.metrics] };
    this.leftOut = new Counter({
      ...shared,
      name: 'payment_scanner_left_out_total',
      help: 'Blocks of payments set aside since only the second node told deposits or withdrawals.',
    });
    this.skipped = new Counter({
      ...shared,
      name: 'payment_scanner_skipped_total',
      help: 'Final blocks that were not read from a second node within a day.',
    });
    for (const { name } of chains.all()) {
      this.leftOut.inc({ chain: name }, 0);
      this.skipped.inc({ chain: name }, 0);
    }
  }

  /** Reads the next final blocks. */
  async next(chain: Chain): Promise<'read' | 'none' | 'failed'> {
    const cursor = await this.cursors.find(chain.name);
    if (!cursor?.confirmed || cursor.reread === null) return 'none';
    const { reread: after, confirmed } = cursor;
    const skipped = tooOld(chain, after, confirmed.number);
    const from = after + 1n + skipped;
    if (from > confirmed.number) return 'none';
    const size = this.sizes.get(chain.name) ?? BLOCKS_AT_ONCE;
    const due = await this.due(chain, { from, to: confirmed.number, limit: size });
    const read = await this.read(chain, due, size);
    // A flooded block takes long: it is read alone at last.
    this.sizes.set(chain.name, Math.max(1, read ? Math.min(2 * size, BLOCKS_AT_ONCE) : size >> 1));
    if (read === null) return 'failed';
    await this.note(chain, { after, skipped, due, ...read });
    return 'read';
  }

  private async due(
    chain: Chain,
    { from, to, limit }: { from: bigint; to: bigint; limit: number },
  ): Promise<DueBlocks> {
    const range = { from, to, limit };
    const kept = await this.cursors.blocksBetween(this.dataSource, chain.name, range);
    const [first] = kept;
    if (first?.number === from) {
      const end = kept.findIndex(({ readFrom }) => readFrom !== first.readFrom);
      const run = end === -1 ? kept : kept.slice(0, end);
      // A node that is no longer configured may be one of the others by another URL.
      const isKnown = chain.endpoints.some((node) => nodeIdOf(node) === first.readFrom);
      const readFrom = isKnown ? first.readFrom : null;
      return { numbers: run.map(({ number }) => number), kept: run, readFrom };
    }
    const count = Math.min(limit, Number(to - from + 1n));
    const numbers = Array.from({ length: count }, (_, index) => from + BigInt(index));
    return { numbers, kept, readFrom: null };
  }

  /** Reads from a node other than the scanned one, from two where that one is not known; null where too few answer. */
  private async read(chain: Chain, due: DueBlocks, size: number): Promise<Reading | null> {
    const others = chain.endpoints.filter((node) => nodeIdOf(node) !== due.readFrom);
    const newest = due.kept.at(-1);
    // The only node was scanned already.
    if (others.length === 0 && chain.endpoints.length === 1 && newest !== undefined) {
      return { last: newest, missed: [] };
    }
    const needed = due.readFrom === null ? witnessesNeeded(chain) : 1;
    const waitMs = size === 1 ? READ_ALONE_MS : READ_MS;
    let left = this.order.unpaused(others);
    let { numbers } = due;
    const readings: NodeReading[] = [];
    const readNext = async (): Promise<NodeReading | null> => {
      const reading = await this.order.firstAnswer(
        left,
        waitMs,
        (node) => {
          left = left.filter((it) => it !== node);
          return this.readFrom(node, chain, { ...due, numbers });
        },
        (error) => this.warn(chain, error),
      );
      if (reading === null) return null;
      readings.push(reading);
      numbers = numbers.filter((number) => number <= reading.last.number);
      return reading;
    };
    while (readings.length < needed) if ((await readNext()) === null) return null;
    const isMore = readings.some(({ missed }) => missed.length > 0);
    // With a further node, none alone has payments wait.
    if (isMore && left.length > 0) await readNext();
    const last = readings.at(-1)?.last;
    if (last === undefined) return null;
    return { last, missed: this.undenied(readings, last, due.readFrom === null ? 0 : 1) };
  }

  /**
   * Keeps what no two nodes deny; one that tells what two deny has failed.
   * @param scanned number of nodes that were scanned, which deny all that is not recorded
   */
  private undenied(
    readings: readonly NodeReading[],
    { number: end }: BlockPointer,
    scanned: number,
  ): Missed[] {
    const told = new Map<string, Missed>();
    const names = readings.map(({ missed }) => new Set(missed.map(nameOf)));
    const isDenied = ({ block }: Missed, name: string): boolean => {
      const denials = readings.filter(
        ({ refused }, index) => !refused.has(block) && names[index]?.has(name) !== true,
      );
      return scanned + denials.length >= 2;
    };
    for (const { node, missed } of readings) {
      const ofRange = missed.filter(({ block }) => block <= end);
      const kept = ofRange.filter((it) => !isDenied(it, nameOf(it)));
      for (const it of kept) told.set(nameOf(it), it);
      if (kept.length < ofRange.length) this.order.noteFailure(node);
    }
    return [...told.values()];
  }

  /** Reads the first blocks with their withdrawals from a node, and compares: what fails at its answers is its failure. */
  private async readFrom(
    node: EndpointClient,
    chain: Chain,
    { numbers, kept }: DueBlocks,
  ): Promise<NodeReading> {
    // Calls count by balances, or by the scanned node alone: tracers number them differently.
    const definition = { ...chain.definition, nativeTransfers: 'blocks' } as const;
    const blocks = await readBlocks(node, definition, numbers, this.watched);
    requireSame(chain, kept, blocks);
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) throw new Error(`no block of ${chain.name} was read`);
    const range = { from: first.number, to: last.number };
    const withdrawn = await this.withdrawals.find(node, chain, range);
    const missed = await this.missed(chain, blocks, withdrawn);
    // Its time decides deadlines: no single node sets it.
    const pointer = await this.scanned.block(chain, last.number);
    const unread = blocks.filter((block) => (block.unread ?? []).length > 0);
    const refused = new Set(unread.map(({ number }) => number));
    return { node, last: pointer, missed, refused };
  }

  private warn({ name }: Chain, error: unknown): void {
    const known = this.warnings.get(name);
    const warning = known ?? new RepeatedWarning(this.context.logger, 'second node not read');
    this.warnings.set(name, warning);
    const reason = error instanceof Error ? error.message : String(error);
    warning.report(reason.slice(0, REASON_LENGTH), { err: error, chain: name });
  }

  /** Finds payments of which not all is recorded. */
  private async missed(
    chain: Chain,
    blocks: readonly ScannedBlock[],
    withdrawn: readonly DatedLog[],
  ): Promise<Missed[]> {
    const missed: Missed[] = [];
    for (const [paymentId, arrivals] of await this.deposits.unrecorded(chain.name, blocks)) {
      for (const { block } of arrivals) missed.push({ paymentId, block: block.number });
    }
    for (const { paymentId, logs } of await this.withdrawals.unrecorded(chain, withdrawn)) {
      for (const { blockNumber: block } of logs) missed.push({ paymentId, block });
    }
    return [...new Map(missed.map((it) => [nameOf(it), it])).values()];
  }

  /** Sets payments aside, and notes how far was read; nothing where a rewind came meanwhile. */
  private async note(chain: Chain, { after, skipped, due, last, missed }: Noted): Promise<void> {
    const { name } = chain;
    // What is noted already for one that is set aside was left out by nobody.
    const aside = await this.aside.among(
      name,
      missed.map(({ paymentId }) => paymentId),
    );
    const leftOut = missed.filter(({ paymentId }) => !aside.has(paymentId));
    const isNoted = await this.dataSource.transaction(async (manager) => {
      // Keeps the scanner from rewinding.
      if (!(await this.cursors.reread(manager, name, { after, last }))) return false;
      const [first] = due.numbers;
      const range = { from: first ?? last.number, to: last.number, limit: BLOCKS_AT_ONCE };
      const kept = await this.cursors.blocksBetween(manager, name, range);
      requireSame(chain, due.kept, kept);
      if (due.readFrom !== null && kept.some(({ readFrom }) => readFrom !== due.readFrom)) {
        throw new Error(`blocks of ${name} were scanned again from another node`);
      }
      const failures = missed.map(({ paymentId, block }) => ({ paymentId, blocks: [block] }));
      await this.aside.put(manager, name, failures);
      return true;
    });
    if (!isNoted) return;
    if (skipped > 0n) {
      this.skipped.inc({ chain: name }, Number(skipped));
      const about = { chain: name, from: (after + 1n).toString(), blocks: skipped.toString() };
      this.context.logger.error(about, 'blocks not read from a second node within a day');
    }
    this.leftOut.inc({ chain: name }, leftOut.length);
    for (const { paymentId, block } of leftOut) {
      const about = { chain: name, payment_id: paymentId, block: block.toString() };
      this.context.logger.warn(about, 'only a second node tells deposits or withdrawals');
    }
  }
}

interface Noted {
  after: bigint;
  /** Number of blocks after that height that were not read. */
  skipped: bigint;
  due: DueBlocks;
  last: BlockPointer;
  missed: readonly Missed[];
}

const nameOf = ({ paymentId, block }: Missed): string => `${paymentId}/${block}`;

/** Number of blocks that are too old to be read. */
function tooOld({ definition }: Chain, after: bigint, confirmed: bigint): bigint {
  const most = BigInt(Math.ceil(SKIPPED_AFTER_MS / definition.blockTimeMs));
  const skipped = confirmed - after - most;
  return skipped > 0n ? skipped : 0n;
}

/**
 * Compares the blocks that both have: the oldest kept ones may be deleted meanwhile.
 * @throws where a block is not the scanned one: the node lies, is on another branch, or a rewind came meanwhile
 */
function requireSame(
  { name }: Chain,
  scanned: readonly BlockPointer[],
  read: readonly BlockPointer[],
): void {
  const known = new Map(scanned.map((block) => [block.number, block]));
  for (const block of read) {
    const one = known.get(block.number);
    if (one === undefined || isSameBlock(one, block)) continue;
    throw new Error(`a node of ${name} has another block ${block.number} than the scan`);
  }
}

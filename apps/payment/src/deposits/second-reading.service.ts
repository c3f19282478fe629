import { Chains } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter, Gauge } from 'prom-client';
import { readBlocks } from './block-reader.client.js';
import { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import { MinedWithdrawalsService } from './mined-withdrawals.service.js';
import type { DatedLog } from './mined-withdrawals.service.js';
import { NodeOrderService } from './node-order.service.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import type { ScanGuardRepository } from './scan-guard.repository.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer, ScannedBlock } from './scanned-chain.js';
import type { PaymentFailure } from './set-aside.repository.js';
import { isCall } from './transfers.js';

/** Blocks that a pass reads again: while another node catches up, the scan goes on. */
const BLOCKS_PER_PASS = 100;

/** Time for which a pass waits for a second node: one that hangs or is slow stops no scan. */
const READ_MS = 10_000;

/** Time for which a failure is shown: another replica may scan since. */
const SHOWN_MS = 60_000;

/** Monotonic times. */
interface Failing {
  since: number;
  until: number;
}

/** Facts of final blocks that a second node told. */
export interface SecondReading {
  /** Height up to which a second node is read. */
  upTo: bigint;
  withdrawn: DatedLog[];
  /** Payments whose deposits could not be recorded. */
  failed: PaymentFailure[];
}

/** Reads final blocks again from another node, and records what the scanned node has left out of them. */
@Injectable()
export class SecondReadingService {
  private readonly leftOut: Counter<'chain'>;
  /** Times since when and until when no other node was read, by chain. */
  private readonly failing = new Map<string, Failing>();

  constructor(
    private readonly cursors: ScanCursorRepository,
    private readonly deposits: DepositsService,
    private readonly recorded: DepositRepository,
    private readonly withdrawals: MinedWithdrawalsService,
    private readonly order: NodeOrderService,
    private readonly context: ServiceContext,
    chains: Chains,
  ) {
    this.leftOut = new Counter({
      name: 'payment_scanner_left_out_total',
      help: 'Deposits and withdrawals of final blocks that only the second node told.',
      labelNames: ['chain'],
      registers: [context.metrics],
    });
    for (const { name } of chains.all()) this.leftOut.inc({ chain: name }, 0);
    showUnread(context, this.failing);
  }

  /**
   * Reads the blocks above a height from one of the nodes, and records their deposits.
   * @returns null where none answers: its part is read later
   */
  async read(
    chain: Chain,
    others: readonly EndpointClient[],
    guard: ScanGuardRepository,
    { after, final }: { after: bigint; final: bigint },
  ): Promise<SecondReading | null> {
    const range = { from: after + 1n, to: final, limit: BLOCKS_PER_PASS };
    const due = await this.cursors.blocksBetween(chain.name, range);
    if (due.length === 0) return null;
    const ask = (other: EndpointClient) => this.readFrom(other, chain, due);
    const read = await this.order.firstAnswer(others, READ_MS, ask, (error) => {
      const about = { err: error, chain: chain.name, from: due[0]?.number.toString() };
      this.context.logger.warn(about, 'blocks not read from a second node');
    });
    if (read === null) {
      const until = performance.now();
      const since = this.failing.get(chain.name)?.since ?? until;
      if (chain.endpoints.length > 1) this.failing.set(chain.name, { since, until });
      return null;
    }
    this.failing.delete(chain.name);
    // Of most payments everything is recorded: they are not even locked.
    const missed = await this.recorded.unrecordedIn(chain.name, read.blocks);
    const { recorded, failed } = await this.deposits.add(guard, chain.name, missed);
    this.countLeftOut(chain, recorded);
    return { upTo: read.upTo, withdrawn: read.withdrawn, failed };
  }

  countLeftOut({ name }: Pick<Chain, 'name'>, count: number): void {
    this.leftOut.inc({ chain: name }, count);
  }

  /** Reads as many blocks as a node tells in half of the time, one batch at least. */
  private async readFrom(other: EndpointClient, chain: Chain, due: readonly BlockPointer[]) {
    const ends = performance.now() + READ_MS / 2;
    const blocks: ScannedBlock[] = [];
    while (blocks.length < due.length && performance.now() < ends) {
      const left = due.slice(blocks.length);
      const numbers = left.map(({ number }) => number);
      const read = await readBlocks(other, chain.definition, numbers, this.recorded);
      requireSame(chain, left, read);
      blocks.push(...read.map(withoutCalls));
    }
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (!first || !last) throw new Error(`no block of ${chain.name} was read`);
    const range = { from: first.number, to: last.number };
    const withdrawn = await this.withdrawals.find(other, chain, range);
    return { upTo: last.number, blocks, withdrawn };
  }
}

const showUnread = ({ metrics }: ServiceContext, failing: ReadonlyMap<string, Failing>): Gauge =>
  new Gauge({
    name: 'payment_scanner_unread_seconds',
    help: 'Time since which final blocks of a chain were not read from a second node, on the replica that scans.',
    labelNames: ['chain'],
    registers: [metrics],
    collect() {
      this.reset();
      const lately = performance.now() - SHOWN_MS;
      for (const [chain, { since, until }] of failing) {
        if (until >= lately) this.set({ chain }, (until - since) / 1_000);
      }
    },
  });

/** Leaves calls out: tracers number them differently, so that one would count twice. */
const withoutCalls = (block: ScannedBlock): ScannedBlock => ({
  ...block,
  transfers: block.transfers.filter((it) => !isCall(it)),
});

/** @throws where a block is not the scanned one: the node lies, or is on another branch */
function requireSame(
  { name }: Chain,
  scanned: readonly BlockPointer[],
  read: readonly ScannedBlock[],
): void {
  for (const [index, block] of read.entries()) {
    const known = scanned[index];
    if (known === undefined || isSameBlock(known, block)) continue;
    throw new Error(`a node of ${name} has another block ${block.number} than the scan`);
  }
}

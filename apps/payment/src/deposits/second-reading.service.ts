import { Chains } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
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

/** Blocks that a pass reads again: while another node catches up, the scan goes on. */
const BLOCKS_PER_PASS = 100;

/** Facts of final blocks that a second node told. */
export interface SecondReading {
  /** Height up to which a second node is read. */
  upTo: bigint;
  withdrawn: DatedLog[];
  /** Number of deposits that the scanned node had left out. */
  leftOut: number;
  /** Payments whose deposits could not be recorded. */
  failed: PaymentFailure[];
}

/** Reads final blocks again from another node, and records what the scanned node has left out of them. */
@Injectable()
export class SecondReadingService {
  private readonly leftOut: Counter<'chain'>;

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
      help: 'Deposits that the scanned node left out of final blocks, as a second node showed.',
      labelNames: ['chain'],
      registers: [context.metrics],
    });
    for (const { name } of chains.all()) this.leftOut.inc({ chain: name }, 0);
  }

  /**
   * Reads the blocks above a height, whose deposits are recorded before it returns.
   * @returns null where no other node answers: its part is read later
   */
  async read(
    chain: Chain,
    node: EndpointClient,
    guard: ScanGuardRepository,
    { after, final }: { after: bigint; final: bigint },
  ): Promise<SecondReading | null> {
    const others = this.order.others(chain.endpoints, node);
    if (others.length === 0) return null;
    const range = { from: after + 1n, to: final, limit: BLOCKS_PER_PASS };
    const due = await this.cursors.blocksBetween(chain.name, range);
    if (due.length === 0) return null;
    for (const other of others) {
      try {
        const reading = await this.readFrom(other, chain, guard, due);
        this.leftOut.inc({ chain: chain.name }, reading.leftOut);
        return reading;
      } catch (error) {
        this.order.noteFailure(other);
        const about = { err: error, chain: chain.name, from: (after + 1n).toString() };
        this.context.logger.warn(about, 'blocks not read from a second node');
      }
    }
    return null;
  }

  private async readFrom(
    other: EndpointClient,
    chain: Chain,
    guard: ScanGuardRepository,
    due: readonly BlockPointer[],
  ): Promise<SecondReading> {
    const failed: PaymentFailure[] = [];
    let leftOut = 0;
    let left = due;
    while (left.length > 0) {
      const numbers = left.map(({ number }) => number);
      const blocks = await readBlocks(other, chain.definition, numbers, this.recorded);
      requireSame(chain, left, blocks);
      // Of most payments everything is recorded: they are not even locked.
      const missed = await this.recorded.unrecordedIn(chain.name, blocks);
      const result = await this.deposits.record(guard, chain.name, missed);
      failed.push(...result.failed);
      leftOut += result.recorded;
      left = left.slice(blocks.length);
    }
    const [first, last] = [due[0], due.at(-1)];
    if (!first || !last) throw new Error(`no block of ${chain.name} to read`);
    const range = { from: first.number, to: last.number };
    const withdrawn = await this.withdrawals.find(other, chain, range);
    return { upTo: last.number, withdrawn, leftOut, failed };
  }
}

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

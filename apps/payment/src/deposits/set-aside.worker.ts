import { Chains, witnessesNeeded } from '@bascule/chain';
import type { Chain, ChainDefinition, EndpointClient } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BlockNotFoundError } from 'viem';
import type { Address } from 'viem';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { LegWorker } from '../execution/leg.worker.js';
import { lockPayment } from '../persistence/payment-lock.repository.js';
import { MinedWithdrawalRecorderService } from '../withdrawals/mined-withdrawal-recorder.service.js';
import { readWalletBlock } from './block-reader.client.js';
import { DepositWitnessesService, UnwitnessedError } from './deposit-witnesses.service.js';
import { DepositRepository } from './deposit.repository.js';
import { DepositsService } from './deposits.service.js';
import { MinedWithdrawalsService } from './mined-withdrawals.service.js';
import { NodeOrderService } from './node-order.service.js';
import { PaymentRecorderService } from './payment-recorder.service.js';
import { ScanCursorRepository } from './scan-cursor.repository.js';
import { isSameBlock } from './scanned-chain.js';
import type { BlockPointer } from './scanned-chain.js';
import { ScannedBlocksService } from './scanned-blocks.service.js';
import { SetAsideRepository } from './set-aside.repository.js';
import { toldByAny } from './transfers.js';
import { UnreadTransfersError } from './unread-transfers-error.js';
import { withOthers } from './withdrawn-logs.js';

interface SetAsidePayment {
  paymentId: string;
  chain: string;
  /** Chain and organisation of one that waits for its turn. */
  holder: string | null;
  attempts: number;
}

/**
 * Payments of a chain in progress: those of one that hangs take no slot of another, and those whose wallets cannot be read,
 * or which wait for their turn, take none of those that wait for a second node. A lease is longer than the requests and
 * statements of a block take.
 */
const SLOTS = [
  {
    name: 'payments set aside',
    where: 'NOT is_unread AND holder IS NULL',
    ofChain: 4,
    leaseMs: 120_000,
  },
  {
    name: 'payments in turn',
    where: 'NOT is_unread AND holder IS NOT NULL',
    ofChain: 4,
    // A crowd of one organisation leaves slots to others.
    holders: { column: 'holder', most: 2 },
    leaseMs: 120_000,
  },
  {
    name: 'payments with unread wallets',
    where: 'is_unread',
    ofChain: 1,
    leaseMs: 600_000,
  },
] as const;

/** Time after which a retry records no further block, so that it ends before its lease where nodes answer. */
const TURN_MS = 40_000;

/** Retries payments that the scanners have set aside, apart from the scanners. */
@Injectable()
export class SetAsideWorker implements OnApplicationBootstrap {
  private readonly workers: readonly DueWorker<SetAsidePayment>[];
  private readonly order = new NodeOrderService();

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly aside: SetAsideRepository,
    private readonly cursors: ScanCursorRepository,
    private readonly scanned: ScannedBlocksService,
    private readonly deposits: DepositsService,
    private readonly recorded: DepositRepository,
    private readonly witnesses: DepositWitnessesService,
    private readonly recorder: PaymentRecorderService,
    private readonly mined: MinedWithdrawalsService,
    private readonly withdrawals: MinedWithdrawalRecorderService,
    private readonly legs: LegWorker,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.workers = SLOTS.map(
      ({ ofChain, ...slots }) =>
        new DueWorker<SetAsidePayment>({
          ...slotsPerChain(ofChain, chains.all().length),
          ...slots,
          dataSource,
          table: 'set_aside_payments',
          select: 'payment_id AS "paymentId", chain, holder, attempts',
          pollMs: timing.workerPollMs,
          handle: (row) => this.handle(row),
          context,
        }),
    );
  }

  onApplicationBootstrap(): void {
    for (const worker of this.workers) worker.start();
  }

  private async handle(row: SetAsidePayment): Promise<void> {
    const { paymentId, chain } = row;
    try {
      if (await this.retry(row)) {
        this.context.logger.info({ payment_id: paymentId, chain }, 'payment set aside is recorded');
        this.legs.wake();
      } else {
        await this.aside.takeTurns(paymentId, chain);
      }
    } catch (error) {
      this.context.logger.warn({ err: error, payment_id: paymentId, chain }, 'retry failed');
      await this.aside.postpone(paymentId, chain, error);
    }
  }

  /** Records what is left, oldest first; true once nothing is. */
  private async retry({ paymentId, chain: name, attempts }: SetAsidePayment): Promise<boolean> {
    const work = await this.aside.workOf(paymentId, name);
    if (work === null) return true;
    const { reorgFrom, blocks } = work;
    if (reorgFrom !== null) {
      await this.dataSource.transaction(async (manager) => {
        await lockPayment(manager, paymentId);
        // A retry that outlived its lease must not forget what another one has recorded since.
        if (!(await this.aside.reorgDone(manager, paymentId, name, reorgFrom))) return;
        await this.recorder.forget(manager, paymentId, name, reorgFrom);
      });
    }
    const chain = this.chains.get(name);
    const first = attempts % chain.endpoints.length;
    const nodes = this.order.preferred([
      ...chain.endpoints.slice(first),
      ...chain.endpoints.slice(0, first),
    ]);
    const wallet = await this.recorded.walletOf(paymentId);
    const ends = performance.now() + TURN_MS;
    for (const block of blocks) {
      if (performance.now() > ends) return false;
      await this.recordBlock({ paymentId, wallet }, chain, nodes, block);
    }
    const final = await this.finalHeight(name);
    await this.requireWitnesses(paymentId, chain, final);
    return this.dataSource.transaction(async (manager) => {
      // Too many to ask about at once, or more were recorded meanwhile.
      if (await this.witnesses.areNeeded(manager, chain, paymentId, final)) return false;
      // Deposits may be in blocks that a reorg replaced, and another retry may have ended the work.
      if (!(await this.aside.hold(manager, paymentId, name))) return false;
      await this.recorder.confirm(manager, paymentId, name, final);
      return this.aside.end(manager, paymentId, name);
    });
  }

  private async recordBlock(
    { paymentId, wallet }: { paymentId: string; wallet: Address },
    chain: Chain,
    nodes: readonly EndpointClient[],
    number: bigint,
  ): Promise<void> {
    // Beyond the retention, the scanner compares no hash and no time.
    const known = await this.scanned.block(chain, number);
    const final = await this.finalHeight(chain.name);
    const of = { wallet, known, isFinal: number <= final };
    const isFirst = chain.definition.nativeTransfers === 'trace_block';
    // One alone could leave out what is left to record, for good.
    const needed = { count: witnessesNeeded(chain), isFirst };
    const read = await firstOf(nodes, needed, async (node, index) => {
      // Calls of the first one count, so that the other one need not trace.
      const nativeTransfers = index === 0 ? chain.definition.nativeTransfers : 'blocks';
      try {
        return await this.readFrom(node, chain, { ...chain.definition, nativeTransfers }, of);
      } catch (error) {
        const isBehind = error instanceof BlockNotFoundError && !of.isFinal;
        if (!isRefused(error) && !isBehind) this.order.noteFailure(node);
        throw error;
      }
    });
    const logs = read.map((one) => one.logs).reduce(withOthers, []);
    const withdrawn = await this.mined.observed(chain, { paymentId, wallet, logs }, final);
    const { converter } = chain.definition.contracts;
    const transfers = toldByAny(
      read.map(({ block }) => block),
      converter,
    );
    const block = { ...known, transfers };
    const found = await this.deposits.arrivalsOf(paymentId, chain.name, block);
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.cursors.holdScanned(manager, chain.name, known))) {
        throw notScanned(chain, number);
      }
      await this.recorder.record(manager, paymentId, found);
      if (withdrawn.length > 0) await this.withdrawals.record(manager, paymentId, withdrawn);
      await this.aside.blockDone(manager, paymentId, chain.name, { block: number, final });
    });
  }

  private async readFrom(
    node: EndpointClient,
    chain: Chain,
    definition: ChainDefinition,
    { wallet, known, isFinal }: { wallet: Address; known: BlockPointer; isFinal: boolean },
  ) {
    const { number } = known;
    const watched = this.recorded;
    const block = await readWalletBlock(node, definition, number, { wallet, watched });
    if (!isSameBlock(known, block)) throw notScanned(chain, number);
    const logs = isFinal ? await this.mined.findIn(node, chain, wallet, number) : [];
    return { block, logs };
  }

  /** Requires two nodes, and has the blocks of a denied deposit read again, from another node. */
  private async requireWitnesses(paymentId: string, chain: Chain, final: bigint): Promise<void> {
    try {
      await this.witnesses.require(chain, paymentId, final);
    } catch (error) {
      const reorgFrom = error instanceof UnwitnessedError ? error.deniedIn : null;
      if (reorgFrom !== null) {
        await this.dataSource.transaction(async (manager) => {
          // Nothing is recorded between both: what is recorded later keeps its block.
          await lockPayment(manager, paymentId);
          const deposits = { paymentId, chain: chain.name, from: reorgFrom };
          const blocks = await this.recorded.heightsFrom(manager, deposits);
          await this.aside.put(manager, chain.name, [{ paymentId, blocks, reorgFrom }]);
        });
      }
      throw error;
    }
  }

  private async finalHeight(chain: string): Promise<bigint> {
    return (await this.cursors.find(chain))?.confirmed?.number ?? -1n;
  }
}

/**
 * Reads from the first nodes, as each may leave something out. One that refuses the wallet is replaced by the next one, and
 * left out where there is none.
 * @param needed.isFirst whether the first one must tell, since only its calls count
 */
async function firstOf<T>(
  nodes: readonly EndpointClient[],
  needed: { count: number; isFirst: boolean },
  read: (node: EndpointClient, index: number) => Promise<T>,
): Promise<T[]> {
  const answers = await Promise.allSettled(nodes.slice(0, needed.count).map(read));
  const found: T[] = [];
  const refusals: unknown[] = [];
  for (const [index, answer] of answers.entries()) {
    if (answer.status === 'fulfilled') found.push(answer.value);
    else if ((index === 0 && needed.isFirst) || !isRefused(answer.reason)) throw answer.reason;
    else refusals.push(answer.reason);
  }
  for (const [index, node] of nodes.entries()) {
    if (index < needed.count || found.length === needed.count) continue;
    try {
      found.push(await read(node, index));
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
  if (found.length === 0) throw refusals[0];
  return found;
}

const isRefused = (error: unknown): boolean => error instanceof UnreadTransfersError;

const notScanned = ({ name }: Chain, number: bigint): Error =>
  new Error(`block ${number} of ${name} is not scanned, was replaced, or has another time`);

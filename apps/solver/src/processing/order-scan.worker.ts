import { Chains, finalBlock, witnessedAnswer } from '@bascule/chain';
import type { Chain, EndpointClient } from '@bascule/chain';
import { DueWorker } from '@bascule/persistence';
import { faultPoint, ServiceContext } from '@bascule/process';
import { intentEscrowAbi, orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { BlockNotFoundError, getAbiItem } from 'viem';
import type { Address, Hash, Hex, Log } from 'viem';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/route.js';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import { SolverMetricsService } from '../metrics/solver-metrics.service.js';
import { orderDecision } from '../orders/order-decision.js';
import { OrderRepository } from '../orders/order.repository.js';
import { OrderWorker } from './order.worker.js';
import { scanRange } from './scan-range.js';

interface CursorRow {
  chain: string;
  block_number: string | null;
  block_hash: Hash | null;
}

interface BlockRange {
  from: bigint;
  to: bigint;
}

const OPEN = getAbiItem({ abi: intentEscrowAbi, name: 'Open' });
const MIN_POLL_MS = 250;
const RETRY_MS = 2_000;

/** Scans the final blocks of every origin chain for opened orders. */
@Injectable()
export class OrderScanWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<CursorRow>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly chains: Chains,
    private readonly orders: OrderRepository,
    private readonly orderWorker: OrderWorker,
    private readonly behaviour: SolverBehaviourService,
    private readonly metrics: SolverMetricsService,
    private readonly context: ServiceContext,
    @Inject(ROUTES) private readonly routes: readonly Route[],
  ) {
    this.worker = new DueWorker<CursorRow>({
      name: 'order-scan',
      dataSource,
      table: 'order_cursors',
      idColumn: 'chain',
      select: 'chain, block_number, block_hash',
      batchSize: 10,
      concurrency: 10,
      leaseMs: 10_000,
      pollMs: MIN_POLL_MS,
      handle: (row) => this.scan(row),
      context,
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    const origins = new Set(this.routes.map(({ origin }) => origin));
    for (const chain of origins) {
      await this.dataSource.query(
        `INSERT INTO order_cursors (chain) VALUES ($1)
         ON CONFLICT (chain) DO UPDATE SET due_at = now()`,
        [chain],
      );
    }
    this.worker.start();
  }

  private async scan(cursor: CursorRow): Promise<void> {
    const chain = this.chains.find(cursor.chain);
    const escrow = this.routes.find(({ origin }) => origin === cursor.chain)?.escrow;
    if (!chain || !escrow) return this.scheduleScan(cursor.chain, null);
    if (this.behaviour.isDown) return this.scheduleScan(cursor.chain, RETRY_MS);
    try {
      await this.read(chain, escrow, cursor);
      const pollMs = Math.max(chain.definition.blockTimeMs / 2, MIN_POLL_MS);
      return await this.scheduleScan(cursor.chain, pollMs);
    } catch (error) {
      this.context.logger.warn({ err: error, chain: cursor.chain }, 'could not scan orders');
      return this.scheduleScan(cursor.chain, RETRY_MS);
    }
  }

  private async read(chain: Chain, escrow: Address, cursor: CursorRow): Promise<void> {
    const { number: final } = await finalBlock(chain);
    const read = cursor.block_number === null ? null : BigInt(cursor.block_number);
    // The first scan starts at the newest block: no earlier order can have been quoted.
    if (read === null) return this.advance(chain, escrow, cursor, { from: final, to: final });
    const isSame = await witnessedAnswer(
      chain,
      async (node) => (await hashAt(node, read)) === cursor.block_hash,
      String,
    );
    const range = scanRange({ read, final, isSame });
    if (range) await this.advance(chain, escrow, cursor, range);
  }

  private async advance(
    chain: Chain,
    escrow: Address,
    cursor: CursorRow,
    range: BlockRange,
  ): Promise<void> {
    // One node could hide orders, which are never read again.
    const { hash, logs } = await witnessedAnswer(
      chain,
      (node) => openedIn(node, escrow, range),
      (opened) => [opened.hash, ...opened.logs.map(logKey)].join(' '),
    );
    const orders = this.validOrders(chain, escrow, logs);
    const { delayMs } = this.behaviour;
    await this.dataSource.transaction(async (manager) => {
      for (const { id, order } of orders) {
        const decision = orderDecision(order, { chainId: chain.chainId, escrow }, this.routes);
        const destination = this.chains.byChainId(order.destinationChainId)?.name ?? null;
        await this.orders.insert(
          manager,
          { id, order, origin: chain.name, destination },
          decision,
          delayMs,
        );
      }
      await manager.query(
        `UPDATE order_cursors SET block_number = $2, block_hash = $3
         WHERE chain = $1 AND block_hash IS NOT DISTINCT FROM $4`,
        [chain.name, range.to.toString(), hash, cursor.block_hash],
      );
      if (orders.length > 0) faultPoint('solver.order-seen');
    });
    if (orders.length === 0) return;
    faultPoint('solver.order-seen');
    this.metrics.count(chain.name, 'seen', orders.length);
    this.context.logger.info({ chain: chain.name, orders: orders.length }, 'orders seen');
    this.orderWorker.wake();
  }

  /** Drops orders that do not hash to their id. */
  private validOrders(
    { name }: Chain,
    escrow: Address,
    logs: readonly { args: { orderId: Hex; order: Order } }[],
  ): { id: Hex; order: Order }[] {
    return logs.flatMap(({ args: { orderId: id, order } }) => {
      if (orderId(order, escrow) === id) return [{ id, order }];
      this.context.logger.error({ chain: name, order_id: id }, 'order does not match its id');
      return [];
    });
  }

  private async scheduleScan(chain: string, inMs: number | null): Promise<void> {
    await this.dataSource.query(
      `UPDATE order_cursors SET due_at = now() + $2::float8 * interval '1 millisecond'
       WHERE chain = $1`,
      [chain, inMs],
    );
  }
}

/** Reads the orders of a range, and the hash of its last block. */
async function openedIn(node: EndpointClient, escrow: Address, { from, to }: BlockRange) {
  // Read before the logs, so that a reorg in between is detected.
  const hash = await hashAt(node, to);
  if (hash === null) throw new Error(`node has no block ${to}`);
  const logs = await node.getLogs({
    address: escrow,
    event: OPEN,
    fromBlock: from,
    toBlock: to,
    strict: true,
  });
  return { hash, logs };
}

const logKey = ({ blockHash, logIndex, topics, data }: Log<bigint, number, false>): string =>
  [blockHash, logIndex, ...topics, data].join();

async function hashAt(node: EndpointClient, blockNumber: bigint): Promise<Hash | null> {
  try {
    const { hash } = await node.getBlock({ blockNumber });
    return hash;
  } catch (error) {
    if (error instanceof BlockNotFoundError) return null;
    throw error;
  }
}

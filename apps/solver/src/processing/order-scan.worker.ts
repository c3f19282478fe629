import { Chains, finalBlock } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
import { faultPoint, ServiceContext } from '@bascule/process';
import { orderId } from '@bascule/solidity';
import type { Order } from '@bascule/solidity';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Address, Hash, Hex } from 'viem';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/route.js';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import { SolverMetricsService } from '../metrics/solver-metrics.service.js';
import { isHeadContradicted } from '../orders/contradicted-head.client.js';
import { hashAt, openedOrders } from '../orders/opened-orders.client.js';
import type { BlockRange } from '../orders/opened-orders.client.js';
import { orderDecision } from '../orders/order-decision.js';
import { OrderRepository } from '../orders/order.repository.js';
import type { SeenOrder } from '../orders/order.repository.js';
import { promptAnswer } from '../orders/prompt-answer.client.js';
import { OrderWorker } from './order.worker.js';
import { largerScan, LARGEST_SCAN, scanRange, smallerScan } from './scan-range.js';

interface CursorRow {
  chain: string;
  block_number: string | null;
  block_hash: Hash | null;
}

/** Outcome of a scan: a new head was reached, no block is new, or more blocks are left. */
type Reached = 'new head' | 'nothing new' | 'part';

const LEASE_MS = 10_000;
const MIN_POLL_MS = 250;
const RETRY_MS = 2_000;

/** Scans the final blocks of every origin chain for opened orders. */
@Injectable()
export class OrderScanWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<CursorRow>;
  /** Most blocks of the next scan, by chain. */
  private readonly sizes = new Map<string, bigint>();

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
      // A scan that outlives its lease is not repeated beside itself.
      ...slotsPerChain(1, chains.all().length),
      leaseMs: LEASE_MS,
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
    const most = this.mostBlocks(chain);
    const began = performance.now();
    try {
      const reached = await this.read(chain, escrow, cursor);
      if (reached === 'part') return await this.scheduleScan(cursor.chain, 0);
      const pollMs = Math.max(chain.definition.blockTimeMs / 2, MIN_POLL_MS);
      // A head that stands still is no sign of being up to date: nodes may be stuck, or report an old one.
      const headAgeMs = reached === 'new head' ? performance.now() - began : null;
      return await this.scheduleScan(cursor.chain, pollMs, headAgeMs);
    } catch (error) {
      this.context.logger.warn({ err: error, chain: cursor.chain }, 'could not scan orders');
      return this.scheduleScan(cursor.chain, this.mostBlocks(chain) < most ? 0 : RETRY_MS);
    }
  }

  private mostBlocks({ name }: Chain): bigint {
    return this.sizes.get(name) ?? LARGEST_SCAN;
  }

  private async read(chain: Chain, escrow: Address, cursor: CursorRow): Promise<Reached> {
    const { number: final } = await finalBlock(chain);
    const read = cursor.block_number === null ? null : BigInt(cursor.block_number);
    // The first scan starts at the newest block: no earlier order can have been quoted.
    if (read === null) {
      const first = { from: final, to: final };
      return (await this.advance(chain, escrow, cursor, first))
        ? this.atHead(chain, final)
        : 'part';
    }
    const isSame = await promptAnswer(
      chain,
      async (node) => (await hashAt(node, read)) === cursor.block_hash,
      String,
    );
    const range = scanRange({ read, final, isSame, most: this.mostBlocks(chain) });
    if (range === null) return 'nothing new';
    const hasMoved = await this.advance(chain, escrow, cursor, range);
    return hasMoved && range.to === final ? this.atHead(chain, final) : 'part';
  }

  private async atHead(chain: Chain, final: bigint): Promise<Reached> {
    if (!(await isHeadContradicted(chain, final))) return 'new head';
    this.context.logger.warn({ chain: chain.name, block: final }, 'nodes have different heads');
    return 'nothing new';
  }

  /** Reads the orders of a range, and fewer blocks the next time where that fails: for its size, its duration or otherwise. */
  private async readOrders(chain: Chain, escrow: Address, range: BlockRange) {
    try {
      const opened = await openedOrders(chain, escrow, range, () => this.renewLease(chain));
      this.sizes.set(chain.name, largerScan(this.mostBlocks(chain), opened.areLogsGiven));
      return opened;
    } catch (error) {
      this.sizes.set(chain.name, smallerScan(range.to - range.from + 1n));
      throw error;
    }
  }

  /** Returns false where another pass has moved the cursor. */
  private async advance(
    chain: Chain,
    escrow: Address,
    cursor: CursorRow,
    range: BlockRange,
  ): Promise<boolean> {
    const { hash, orders: opened, unread } = await this.readOrders(chain, escrow, range);
    const { served, declined } = this.decide(chain, escrow, opened);
    const { delayMs } = this.behaviour;
    const hasMoved = await this.dataSource.transaction(async (manager) => {
      await this.orders.insert(manager, served, delayMs);
      const [, moved]: [unknown, number] = await manager.query(
        `UPDATE order_cursors SET block_number = $2, block_hash = $3
         WHERE chain = $1 AND block_hash IS NOT DISTINCT FROM $4`,
        [chain.name, range.to.toString(), hash, cursor.block_hash],
      );
      if (served.length > 0) faultPoint('solver.order-seen');
      return moved > 0;
    });
    if (served.length > 0) faultPoint('solver.order-seen');
    this.report(chain, { seen: opened.length, declined, unread });
    if (served.length > 0) this.orderWorker.wake();
    return hasMoved;
  }

  /**
   * Finds the orders to fill. The others are counted only: anyone can open any number of them. Orders that do not hash to
   * their id are ignored.
   */
  private decide(
    { name, chainId }: Chain,
    escrow: Address,
    opened: readonly { orderId: Hex; order: Order }[],
  ): { served: SeenOrder[]; declined: ReadonlyMap<string, number> } {
    const served: SeenOrder[] = [];
    const declined = new Map<string, number>();
    for (const { orderId: id, order } of opened) {
      const decision = orderDecision(order, { chainId, escrow }, this.routes);
      if ('declined' in decision) {
        declined.set(decision.declined, (declined.get(decision.declined) ?? 0) + 1);
      } else if (orderId(order, escrow) === id) {
        served.push({ id, order, ...decision });
      } else {
        this.context.logger.error({ chain: name, order_id: id }, 'order does not match its id');
      }
    }
    return { served, declined };
  }

  private report(
    { name }: Chain,
    found: { seen: number; declined: ReadonlyMap<string, number>; unread: readonly Hash[] },
  ): void {
    const { logger } = this.context;
    for (const transaction of found.unread) {
      logger.error({ chain: name, transaction }, 'orders of a transaction are unreadable');
    }
    if (found.seen === 0) return;
    this.metrics.count(name, 'seen', found.seen);
    const declined = Object.fromEntries(found.declined);
    for (const orders of found.declined.values()) this.metrics.count(name, 'declined', orders);
    logger.info({ chain: name, orders: found.seen, declined }, 'orders seen');
  }

  /** Keeps other replicas from a block that takes long. Throws while the process stops. */
  private async renewLease({ name }: Chain): Promise<void> {
    this.context.shutdown.stopping.throwIfAborted();
    await this.dataSource.query(
      `UPDATE order_cursors SET due_at = now() + $2 * interval '1 millisecond'
       WHERE chain = $1 AND due_at IS NOT NULL`,
      [name, LEASE_MS],
    );
  }

  /** @param headAgeMs time since the new head was read that the scan has reached; null where it has not reached one */
  private async scheduleScan(
    chain: string,
    inMs: number | null,
    headAgeMs: number | null = null,
  ): Promise<void> {
    await this.dataSource.query(
      `UPDATE order_cursors SET due_at = now() + $2::float8 * interval '1 millisecond',
         caught_up_at = greatest(caught_up_at, now() - $3::float8 * interval '1 millisecond')
       WHERE chain = $1`,
      [chain, inMs, headAgeMs],
    );
  }
}

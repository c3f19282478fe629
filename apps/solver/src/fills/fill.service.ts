import { Chains } from '@bascule/chain';
import { faultPoint, ServiceContext } from '@bascule/process';
import type { Order } from '@bascule/solidity';
import {
  TransactionSender,
  TransactionTooExpensiveError,
  TransactionWorker,
  TransactionWouldRevertError,
} from '@bascule/transactions';
import { Inject, Injectable } from '@nestjs/common';
import { isAddressEqual } from 'viem';
import { findRoute } from '../assets/route.js';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/route.js';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import { OrderCostsService } from '../costs/order-costs.service.js';
import { InventoryService } from '../inventory/inventory.service.js';
import { currentFiller, currentTime, finalStatus } from '../orders/escrow.client.js';
import type { StoredOrder } from '../orders/order.repository.js';
import { OrderRepository } from '../orders/order.repository.js';
import { formatOrderReference } from '../orders/order-reference.js';
import { SOLVER_SETTINGS } from '../settings/solver-settings.js';
import type { SolverSettings } from '../settings/solver-settings.js';
import { SolverMetricsService } from '../metrics/solver-metrics.service.js';
import { fillCall } from './fill-call.js';
import { fillDelay } from './fill-delay.js';
import { timeLeft } from './time-left.js';
import type { Clocks } from './time-left.js';

/** Delay before an order that its origin does not show yet is looked at again. */
const RETRY_MS = 1_000;

class InsufficientInventoryError extends Error {
  override readonly name = 'InsufficientInventoryError';
}

/** Fills orders: checks both chains again, then records the transaction together with the order's new state. */
@Injectable()
export class FillService {
  constructor(
    private readonly chains: Chains,
    private readonly orders: OrderRepository,
    private readonly inventory: InventoryService,
    private readonly costs: OrderCostsService,
    private readonly sender: TransactionSender,
    private readonly transactions: TransactionWorker,
    private readonly behaviour: SolverBehaviourService,
    private readonly metrics: SolverMetricsService,
    private readonly context: ServiceContext,
    @Inject(ROUTES) private readonly routes: readonly Route[],
    @Inject(SOLVER_SETTINGS) private readonly settings: SolverSettings,
  ) {}

  /** @throws when nodes or the database fail */
  async process(known: StoredOrder): Promise<void> {
    const { id, order, output } = known;
    const route = findRoute(this.routes, order);
    if (!route || output === null) return this.end(known, 'DECLINED', 'unknown_route');
    const maxCost = await this.costs.fillBound(known, route);
    const isUnpaid = maxCost === null;
    // It is looked at before its end only where it pays: strangers open orders that never do.
    if (isUnpaid && this.hasTime(order, { wall: new Date() })) return this.postponeUnpaid(known);
    const origin = this.chains.get(route.origin);
    const destination = this.chains.get(route.destination);
    const [{ status, blockNumber }, filler, destinationTime, originTime] = await Promise.all([
      finalStatus(origin, route.escrow, id),
      currentFiller(destination, route.escrow, id),
      currentTime(destination),
      currentTime(origin),
    ]);
    if (filler && !isAddressEqual(filler, this.self(route))) {
      return this.end(known, 'DECLINED', 'filled_by_another');
    }
    // Our own fill, missing in the database, for example after a restore.
    if (filler) return this.recordFill(known);
    if (status === 'UNKNOWN') return this.endMissing(known, blockNumber);
    if (status !== 'OPEN') return this.end(known, 'DECLINED', 'not_open');
    const clocks = { destination: destinationTime, origin: originTime, wall: new Date() };
    if (!this.hasTime(order, clocks)) return this.end(known, 'DECLINED', 'too_late');
    if (isUnpaid) return this.postponeUnpaid(known);
    await this.fill(known, route, { output, maxCost });
  }

  private hasTime({ fillDeadline }: Order, clocks: Clocks): boolean {
    return timeLeft(fillDeadline, clocks) >= BigInt(this.settings.fillMarginSeconds);
  }

  private async postponeUnpaid({ id, retries }: StoredOrder): Promise<void> {
    this.context.logger.warn({ order_id: id }, 'fill or claim would exceed its bound');
    await this.orders.postponeFill(id, fillDelay(retries), false);
  }

  private async fill(
    known: StoredOrder,
    route: Route,
    { output, maxCost }: { output: bigint; maxCost: bigint },
  ): Promise<void> {
    const { id, order, fillAttempts, retries } = known;
    const attempt = fillAttempts + 1;
    const reference = formatOrderReference({ kind: 'fill', orderId: id, attempt });
    const call = fillCall(route.escrow, order, output, this.self(route));
    const balance = await this.inventory.balance(route.destination, route.outputToken);
    try {
      // Its simulation would revert, as that of an order which never becomes fillable.
      if (balance < output) throw new InsufficientInventoryError();
      const request = { chain: route.destination, reference, maxCost, ...call };
      await this.sender.record(request, async (manager, reserve) => {
        // Locks the signer until the commit, so inventory checks are serialised.
        await reserve();
        const others = await this.inventory.inFlight(manager, route.destination, route.outputToken);
        if (balance - others < output) throw new InsufficientInventoryError();
        const change = { from: ['SEEN'], to: 'FILLING', fillAttempt: attempt } as const;
        if (!(await this.orders.change(manager, id, change))) {
          throw new Error(`order ${id} cannot be filled in its current state`);
        }
        faultPoint('solver.fill-recorded');
      });
    } catch (error) {
      if (
        error instanceof TransactionWouldRevertError ||
        error instanceof TransactionTooExpensiveError ||
        error instanceof InsufficientInventoryError
      ) {
        this.context.logger.warn({ err: error, order_id: id }, 'order not fillable yet');
        const isReserving = error instanceof InsufficientInventoryError;
        return this.orders.postponeFill(id, fillDelay(retries), isReserving);
      }
      throw error;
    }
    faultPoint('solver.fill-recorded');
    await this.sender.broadcast(reference);
    this.transactions.wake();
    this.behaviour.onFillSent();
  }

  private async recordFill({ id }: StoredOrder): Promise<void> {
    await this.orders.changeNow(id, { from: ['SEEN'], to: 'FILLED', dueInMs: 0 });
  }

  /** Ends an order that a reorg removed; one of two nodes that reports an old head removes none. */
  private async endMissing(known: StoredOrder, blockNumber: bigint): Promise<void> {
    const scanned = await this.orders.scannedBlock(known.origin);
    if (scanned !== null && blockNumber < scanned) return this.orders.postpone(known.id, RETRY_MS);
    await this.end(known, 'GONE', 'not_open');
  }

  private async end(
    { id, origin }: StoredOrder,
    to: 'DECLINED' | 'GONE',
    reason: 'unknown_route' | 'not_open' | 'too_late' | 'filled_by_another',
  ): Promise<void> {
    if (!(await this.orders.changeNow(id, { from: ['SEEN'], to, reason }))) return;
    this.metrics.count(origin, 'declined');
    this.context.logger.info({ order_id: id, reason }, 'order declined');
  }

  private self({ destination }: Route) {
    return this.sender.signerAddress(destination);
  }
}

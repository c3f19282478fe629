import { faultPoint, ServiceContext } from '@bascule/process';
import { TransactionWorker } from '@bascule/transactions';
import type { TransactionOutcome } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import type { OnModuleInit } from '@nestjs/common';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import { SolverMetricsService } from '../metrics/solver-metrics.service.js';
import { OrderRepository } from '../orders/order.repository.js';
import type { StoredOrder } from '../orders/order.repository.js';
import { parseOrderReference } from '../orders/order-reference.js';
import { failureDelay } from './failure-delay.js';
import { OrderWorker } from './order.worker.js';

/** Applies the outcomes of fill and claim transactions; each is reported at least once. */
@Injectable()
export class OrderSettlementsService implements OnModuleInit {
  constructor(
    private readonly transactions: TransactionWorker,
    private readonly orders: OrderRepository,
    private readonly orderWorker: OrderWorker,
    private readonly behaviour: SolverBehaviourService,
    private readonly metrics: SolverMetricsService,
    private readonly context: ServiceContext,
  ) {}

  onModuleInit(): void {
    this.transactions.onSettled((reference, outcome) => this.settle(reference, outcome));
  }

  private async settle(reference: string, { status }: TransactionOutcome): Promise<void> {
    const about = parseOrderReference(reference);
    if (!about) return;
    // The error makes the outcome be reported again later.
    if (this.behaviour.isDown) throw new Error('the solver simulates a crash');
    const order = await this.orders.find(about.orderId);
    if (!order) throw new Error(`${reference} belongs to no order`);
    if (about.kind === 'fill') {
      if (order.fillAttempts === about.attempt) await this.fillSettled(order, status);
    } else if (order.claimAttempts === about.attempt) {
      await this.claimSettled(order, status);
    }
    this.context.logger.info({ order_id: order.id, reference, status }, 'order settled');
    this.orderWorker.wake();
  }

  private async fillSettled(
    { id, origin, fillAttempts }: StoredOrder,
    status: TransactionOutcome['status'],
  ): Promise<void> {
    faultPoint('solver.fill-settled');
    if (status === 'success') {
      const change = { from: ['FILLING'], to: 'FILLED', dueInMs: 0 } as const;
      if (await this.orders.changeNow(id, change)) this.metrics.count(origin, 'filled');
    } else {
      // Also when a deep reorg reverts a fill that was final.
      const from = ['FILLING', 'FILLED', 'CLAIMING'] as const;
      await this.orders.changeNow(id, { from, to: 'SEEN', dueInMs: failureDelay(fillAttempts) });
    }
    faultPoint('solver.fill-settled');
  }

  private async claimSettled(
    { id, claimAttempts }: StoredOrder,
    status: TransactionOutcome['status'],
  ): Promise<void> {
    faultPoint('solver.claim-settled');
    const dueInMs = status === 'success' ? 0 : failureDelay(claimAttempts);
    await this.orders.changeNow(id, { from: ['CLAIMING', 'CLAIMED'], to: 'FILLED', dueInMs });
    faultPoint('solver.claim-settled');
  }
}

import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Hex } from 'viem';
import { ClaimService } from '../claims/claim.service.js';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import { FillService } from '../fills/fill.service.js';
import { OrderRepository } from '../orders/order.repository.js';

/** Longer than the requests to all attesters and nodes take. */
const LEASE_MS = 30_000;
const RETRY_MS = 1_000;

/** Fills seen orders and claims filled ones. */
@Injectable()
export class OrderWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<{ id: Hex }>;

  constructor(
    dataSource: DataSource,
    private readonly orders: OrderRepository,
    private readonly fills: FillService,
    private readonly claims: ClaimService,
    private readonly behaviour: SolverBehaviourService,
    private readonly context: ServiceContext,
  ) {
    this.worker = new DueWorker<{ id: Hex }>({
      name: 'orders',
      dataSource,
      table: 'orders',
      select: 'id',
      batchSize: 20,
      concurrency: 4,
      leaseMs: LEASE_MS,
      pollMs: 500,
      handle: ({ id }) => this.advance(id),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  /** Runs now instead of at the next poll. */
  wake(): void {
    this.worker.wake();
  }

  private async advance(id: Hex): Promise<void> {
    if (!this.behaviour.isWorking) return this.orders.postpone(id, RETRY_MS);
    const order = await this.orders.find(id);
    if (!order) return;
    try {
      if (order.status === 'SEEN') await this.fills.process(order);
      else if (order.status === 'FILLED') await this.claims.claim(order);
    } catch (error) {
      this.context.logger.warn({ err: error, order_id: id }, 'could not advance order');
      await this.orders.postpone(id, RETRY_MS);
    }
  }
}

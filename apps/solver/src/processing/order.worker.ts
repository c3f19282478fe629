import { Chains } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
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

/**
 * Orders of an origin in progress. Anyone opens orders: those of one origin take no slot of another, those that could not be
 * filled none of a first look, and neither takes one of a claim.
 */
const SLOTS = [
  { name: 'orders', where: `status = 'SEEN' AND retries = 0`, ofOrigin: 8 },
  { name: 'orders to retry', where: `status = 'SEEN' AND retries > 0`, ofOrigin: 2 },
  { name: 'orders to claim', where: `status <> 'SEEN'`, ofOrigin: 4 },
] as const;

/** Fills seen orders and claims filled ones. */
@Injectable()
export class OrderWorker implements OnApplicationBootstrap {
  private readonly workers: readonly DueWorker<{ id: Hex; origin: string }>[];

  constructor(
    dataSource: DataSource,
    chains: Chains,
    private readonly orders: OrderRepository,
    private readonly fills: FillService,
    private readonly claims: ClaimService,
    private readonly behaviour: SolverBehaviourService,
    private readonly context: ServiceContext,
  ) {
    this.workers = SLOTS.map(
      ({ ofOrigin, ...slots }) =>
        new DueWorker<{ id: Hex; origin: string }>({
          ...slots,
          dataSource,
          table: 'orders',
          select: 'id, origin',
          ...slotsPerChain(ofOrigin, chains.all().length),
          holders: { column: 'origin', most: ofOrigin },
          leaseMs: LEASE_MS,
          pollMs: 500,
          handle: ({ id }) => this.advance(id),
          context,
        }),
    );
  }

  onApplicationBootstrap(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Runs now instead of at the next poll. */
  wake(): void {
    for (const worker of this.workers) worker.wake();
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

import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

type Step = 'seen' | 'declined' | 'filled' | 'claimed' | 'lost';

/** Counts orders by step and origin chain. */
@Injectable()
export class SolverMetricsService {
  private readonly orders: Counter<'chain' | 'step'>;

  constructor({ metrics }: ServiceContext) {
    this.orders = new Counter({
      name: 'solver_orders_total',
      help: 'Orders by step: seen, declined, filled, claimed or lost.',
      labelNames: ['chain', 'step'],
      registers: [metrics],
    });
  }

  count(chain: string, step: Step, orders = 1): void {
    this.orders.inc({ chain, step }, orders);
  }
}

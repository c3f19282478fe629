import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';

type Step = 'seen' | 'declined' | 'filled' | 'claimed' | 'lost';

/** How orders end, by the chain that holds their money. */
@Injectable()
export class SolverMetricsService {
  private readonly orders: Counter<'chain' | 'step'>;

  constructor({ metrics }: ServiceContext) {
    this.orders = new Counter({
      name: 'solver_orders_total',
      help: 'Orders that have come to a step.',
      labelNames: ['chain', 'step'],
      registers: [metrics],
    });
  }

  count(chain: string, step: Step, orders = 1): void {
    this.orders.inc({ chain, step }, orders);
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { Chains } from '@bascule/chain';
import { ServiceContext } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../api/api-error.js';
import type { QuoteRequest } from './read-quote-request.js';
import { outputFor } from '../assets/fee.js';
import { findRoute } from '../assets/route.js';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/route.js';
import { SolverBehaviourService } from '../behaviour/solver-behaviour.service.js';
import { InventoryService } from '../inventory/inventory.service.js';
import { escrowRoom } from '../orders/escrow.client.js';
import { ScanLagService } from '../orders/scan-lag.service.js';
import { fillSeconds } from './fill-seconds.js';
import { limitsBody, quoteLimits } from './quote-limits.js';
import type { QuoteLimits } from './quote-limits.js';

export interface Quote {
  outputAmount: bigint;
  fillSeconds: number;
  limits: QuoteLimits;
}

/** Quotes orders. A quote reserves nothing: only an opened order takes inventory. */
@Injectable()
export class QuoteService {
  constructor(
    @Inject(ROUTES) private readonly routes: readonly Route[],
    private readonly chains: Chains,
    private readonly inventory: InventoryService,
    private readonly scanLag: ScanLagService,
    private readonly behaviour: SolverBehaviourService,
    private readonly context: ServiceContext,
  ) {}

  async quote(request: QuoteRequest): Promise<Quote> {
    const { delayMs } = this.behaviour;
    await this.takeTime(delayMs);
    if (this.behaviour.now.mode === 'refuse') {
      throw new ApiError('refused', 'Quotes are refused at the moment.');
    }
    const route = findRoute(this.routes, request);
    if (!route) throw new ApiError('unsupported_route', 'The route is not supported.');
    const limits = await this.limits(route, 'lower');
    if (request.amount < limits.min) {
      throw new ApiError('amount_too_low', `The amount must be at least ${limits.min}.`, {
        limits: limitsBody(limits),
      });
    }
    if (request.amount > limits.max) await this.refuseAbove(limits, request, route);
    return {
      outputAmount: outputFor(request.amount, route.fee),
      fillSeconds: fillSeconds(
        this.chains.get(route.origin).definition,
        this.chains.get(route.destination).definition,
        delayMs,
      ),
      limits,
    };
  }

  /** Refuses an amount that is too high by either of two nodes. */
  private async refuseAbove(
    limits: QuoteLimits,
    { amount }: QuoteRequest,
    route: Route,
  ): Promise<never> {
    const { max } = await this.limits(route, 'higher');
    if (amount <= max) {
      this.context.logger.warn({ origin: route.origin }, 'nodes disagree about the capacity');
      throw new ApiError('unavailable', 'The nodes disagree about the capacity. Try again later.');
    }
    throw new ApiError(
      'amount_too_high',
      `The amount must be at most ${limits.max} at the moment.`,
      { limits: limitsBody(limits) },
    );
  }

  private async takeTime(ms: number): Promise<void> {
    if (ms === 0) return;
    try {
      await delay(ms, undefined, { signal: this.context.shutdown.stopping });
    } catch {
      throw new ApiError('unavailable', 'The service is stopping.');
    }
  }

  /**
   * Refuses quotes while orders may be seen too late to be filled: their money would be locked in vain.
   * @param middle which of two nodes counts where they disagree
   */
  private async limits(route: Route, middle: 'lower' | 'higher'): Promise<QuoteLimits> {
    const { origin, destination, inputToken, outputToken } = route;
    try {
      const [inventory, room, isBehind] = await Promise.all([
        this.inventory.free(destination, outputToken, middle),
        escrowRoom(this.chains.get(origin), route.escrow, inputToken, middle),
        this.scanLag.isBehind(origin),
      ]);
      if (!isBehind) return quoteLimits(route, { inventory, escrowRoom: room });
    } catch (error) {
      this.context.logger.warn({ err: error }, 'could not read the capacity');
      throw new ApiError('unavailable', 'Could not read the chains. Try again later.');
    }
    throw new ApiError('unavailable', `Orders of ${origin} are read late. Try again later.`);
  }
}

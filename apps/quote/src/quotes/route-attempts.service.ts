import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { PricedRoute } from '../routes/quoted-route.js';
import { MissingPriceError } from '../routes/price-book.js';
import { rampKey, type Route } from '../routes/route.js';
import type { QuotingContext } from '../routes/quoting-context.js';
import { RouteFailure, type TimedFailure } from '../routes/route-failure.js';
import { RouteQuoterService } from './route-quoter.service.js';

export interface Attempts {
  quoted: PricedRoute[];
  failures: TimedFailure[];
}

/** Tries all routes at once; one that fails takes nothing from the others. */
@Injectable()
export class RouteAttemptsService {
  constructor(
    private readonly quoter: RouteQuoterService,
    private readonly context: ServiceContext,
  ) {}

  /**
   * A provider and method that has a quote has not failed, whatever became of its other routes: those are reported
   * only to whoever wants all issues.
   */
  async try(
    routes: readonly Route[],
    context: QuotingContext,
    allIssues: boolean,
  ): Promise<Attempts> {
    const answers = await Promise.all(
      routes.map(async (route) => ({ route, answer: await this.tryOne(route, context) })),
    );
    const quoted = answers.flatMap(({ answer }) => ('failure' in answer ? [] : [answer]));
    const served = new Set(quoted.map(({ onramp }) => rampKey(onramp)));
    const failures = answers.flatMap(({ route, answer }) =>
      'failure' in answer && (allIssues || !served.has(rampKey(route.ramp))) ? [answer] : [],
    );
    return { quoted, failures };
  }

  private async tryOne(route: Route, context: QuotingContext): Promise<PricedRoute | TimedFailure> {
    const began = performance.now();
    try {
      return await this.quoter.quote(route, context);
    } catch (error) {
      const latencyMs = performance.now() - began;
      return { failure: this.toFailure(route, error), latencyMs };
    }
  }

  private toFailure(route: Route, error: unknown): RouteFailure {
    if (error instanceof RouteFailure) {
      this.context.logger.info({ err: error, services: error.serviceIds }, 'route not quoted');
      return error;
    }
    if (error instanceof MissingPriceError) {
      this.context.logger.warn({ asset: error.asset }, 'price missing');
      return new RouteFailure(['prices'], [{ kind: 'other', message: error.message }]);
    }
    this.context.logger.error({ err: error, route }, 'quoting a route failed');
    const services = route.ramp ? [route.ramp.provider] : route.legs.map(({ chain }) => chain);
    const message = 'An internal error occurred.';
    return new RouteFailure(services, [{ kind: 'unknown', message }], { cause: error });
  }
}

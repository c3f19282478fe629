import type { AmountIssue } from '@bascule/contracts';
import { ServiceContext, TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { shareReceivers } from '../pricing/business-fees.js';
import { ExactOutputService } from '../exact-output/exact-output.service.js';
import { inputCeilingIssue } from '../pricing/input-ceiling.js';
import { InputLimitsService, type QuoteInput } from '../pricing/input-limits.service.js';
import { LegQuoterService } from '../pricing/leg-quoter.service.js';
import { feeBreakdown } from '../routes/fee-breakdown.js';
import { MissingPriceError, type PriceBook } from '../routes/price-book.js';
import {
  outputOf,
  slippageStepsIn,
  type PricedRoute,
  type QuotedLeg,
  type QuotedOnramp,
  type QuotedRoute,
  type TokenAmount,
} from '../routes/quoted-route.js';
import {
  requireToken,
  type QuotingContext,
  type RequestContext,
} from '../routes/quoting-context.js';
import { RouteFailure, type TimedFailure } from '../routes/route-failure.js';
import { rampKey, type Route } from '../routes/route.js';
import { OnrampQuoterService } from '../sources/onramp-quoter.service.js';
import type { FixedAmount } from './requested-amount.js';

export interface RouteQuotes {
  quoted: PricedRoute[];
  failures: TimedFailure[];
}

/** Route that was not quoted. */
interface FailedRoute {
  route: Route;
  error: unknown;
  latencyMs: number;
  /** Quotes the route for another input, until the timeout of the route. */
  quote: QuoteInput;
}

/** Quotes routes concurrently; the failure of one does not affect the others. */
@Injectable()
export class RouteQuoterService {
  constructor(
    private readonly onramps: OnrampQuoterService,
    private readonly legQuoter: LegQuoterService,
    private readonly exactOutput: ExactOutputService,
    private readonly inputLimits: InputLimitsService,
    private readonly context: ServiceContext,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** @param allIssues also reports failed routes of providers and methods that have another quote */
  async quoteAll(
    routes: readonly Route[],
    fixed: FixedAmount,
    context: RequestContext,
    allIssues: boolean,
  ): Promise<RouteQuotes> {
    const results = await Promise.all(routes.map((route) => this.tryQuote(route, fixed, context)));
    const quoted = results.flatMap((result) => ('error' in result ? [] : [result]));
    const served = new Set(quoted.map(({ onramp }) => rampKey(onramp)));
    const reports = results.map(async (result) => {
      if (!('error' in result)) return [];
      const isShown = allIssues || !served.has(rampKey(result.route.ramp));
      const failure = await this.report(result, context, isShown);
      return isShown ? [failure] : [];
    });
    return { quoted, failures: (await Promise.all(reports)).flat() };
  }

  private async tryQuote(
    route: Route,
    fixed: FixedAmount,
    context: RequestContext,
  ): Promise<PricedRoute | FailedRoute> {
    const startedAt = performance.now();
    const deadline = startedAt + this.config.routeTimeoutMs;
    const quoteInput: QuoteInput = (units) =>
      withTimeout(Math.max(deadline - performance.now(), 0), () => {
        const input = { ...fixed.input, units };
        requireNoIssue(inputCeilingIssue(input, context));
        return this.quote(route, { ...context, input });
      });
    try {
      const quoted = await withTimeout(this.config.routeTimeoutMs, (signal) =>
        this.quoteFixed(route, fixed, { context, signal }),
      );
      const tried = { ...context, input: { ...fixed.input, ...quoted.input } };
      requireNoIssue(inputCeilingIssue(tried.input, context));
      const refused = { route, context: tried };
      requireNoIssue(await this.inputLimits.feeShareIssue(quoted, refused, quoteInput));
      return priced(quoted, context.prices);
    } catch (error) {
      const latencyMs = performance.now() - startedAt;
      return { route, error, latencyMs, quote: quoteInput };
    }
  }

  /** Logs a failure, and looks for the limits that it names only where it is shown: that takes more quotes. */
  private async report(
    { route, error, latencyMs, quote }: FailedRoute,
    context: RequestContext,
    isShown: boolean,
  ): Promise<TimedFailure> {
    const explained = await this.inputLimits
      .explain(error, route, context, isShown ? quote : null)
      .catch((unexpected: unknown) => unexpected);
    return { failure: this.toFailure(route, explained), latencyMs };
  }

  private quoteFixed(
    route: Route,
    fixed: FixedAmount,
    { context, signal }: { context: RequestContext; signal: AbortSignal },
  ): Promise<QuotedRoute> {
    const quote = async (tried: QuotingContext) => {
      signal.throwIfAborted();
      return this.quote(route, tried);
    };
    return fixed.side === 'input'
      ? quote({ ...context, input: fixed.input })
      : this.exactOutput.quote(route, fixed, context, quote);
  }

  private async quote(route: Route, context: QuotingContext): Promise<QuotedRoute> {
    const { onramp, deposit } = await this.quoteDeposit(route, context);
    const legs = await this.quoteLegs(route, deposit, context);
    return { input: context.input, onramp, legs };
  }

  private async quoteDeposit(
    { ramp }: Route,
    context: QuotingContext,
  ): Promise<{ onramp: QuotedOnramp | null; deposit: TokenAmount }> {
    const { input } = context;
    const { id, decimals } = requireToken(context, ramp?.token ?? input.asset);
    if (!ramp) return { onramp: null, deposit: { ...input, asset: id } };
    return this.onramps.quote({ ...context, ramp, tokenDecimals: decimals });
  }

  private async quoteLegs(
    { ramp, legs }: Route,
    deposit: TokenAmount,
    context: QuotingContext,
  ): Promise<QuotedLeg[]> {
    const quoted: QuotedLeg[] = [];
    let input = deposit;
    let slippageSteps = Number(ramp !== null);
    const receivers = shareReceivers(legs, context.revenueShare);
    for (const [index, leg] of legs.entries()) {
      const request = { input, slippageSteps, receivers: receivers[index] ?? [] };
      const quote = await this.legQuoter.quote(leg, request, context);
      quoted.push(quote);
      input = quote.bridge?.delivered ?? quote.output;
      slippageSteps += slippageStepsIn(quote);
    }
    return quoted;
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
    if (error instanceof TimeoutError) {
      const late = routeTimedOut(route, error);
      this.context.logger.info({ err: error, services: late.serviceIds }, 'route not quoted');
      return late;
    }
    this.context.logger.error({ err: error, route }, 'quoting a route failed');
    const services = route.ramp ? [route.ramp.provider] : route.legs.map(({ chain }) => chain);
    const message = 'An internal error occurred.';
    return new RouteFailure(services, [{ kind: 'unknown', message }], { cause: error });
  }
}

/** @throws RouteFailure */
function requireNoIssue(issue: AmountIssue | null): void {
  if (issue) throw new RouteFailure([issue.source], [issue]);
}

/** @throws MissingPriceError */
function priced(quoted: QuotedRoute, prices: PriceBook): PricedRoute {
  const { input, legs } = quoted;
  const network = legs.map((leg) => ({ ...leg.input, units: leg.networkFee }));
  const business = legs.flatMap((leg) =>
    leg.businessFees.map(({ units }) => ({ ...leg.input, units })),
  );
  const fees = feeBreakdown({ input, output: outputOf(quoted), network, business, prices });
  return { ...quoted, fees };
}

/** Failure of all services of a route: any of them may have been slow. */
function routeTimedOut({ ramp, legs }: Route, cause: TimeoutError): RouteFailure {
  const services = [
    ...(ramp ? [ramp.provider] : []),
    ...legs.flatMap(({ chain, lane }) => (lane ? [chain, lane.bridge] : [chain])),
  ];
  const message = 'The route timed out.';
  return new RouteFailure([...new Set(services)], [{ kind: 'other', message }], { cause });
}

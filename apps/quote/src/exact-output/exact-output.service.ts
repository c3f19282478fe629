import { MAX_UINT256, maxAmount } from '@bascule/amounts';
import type { TokenIdentifier } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { shareReceivers } from '../pricing/business-fees.js';
import { LegQuoterService } from '../pricing/leg-quoter.service.js';
import { TooLittleFailure } from '../pricing/too-little-failure.js';
import { amountIssue, isAboutAmount, type GivenAmount } from '../routes/amount-issue.js';
import { equalValue, type Amount } from '../routes/amount.js';
import { parseLimits } from '../routes/input-limits.js';
import {
  leastBeforeSlippage,
  outputOf,
  type QuotedRoute,
  type TokenAmount,
} from '../routes/quoted-route.js';
import type { QuotingContext, RequestContext } from '../routes/quoting-context.js';
import { RouteFailure } from '../routes/route-failure.js';
import { slippageStepsOf, type Route } from '../routes/route.js';
import { rampLimitIssue } from '../sources/source-failure.js';
import { InputEstimatorService } from './input-estimator.service.js';
import { routeImpactIssue } from './price-impact.js';
import { searchInput, type Attempt, type InputBounds } from './input-search.js';

/** Output that a request fixes, and the asset that pays for it. */
export interface FixedOutput {
  output: Amount;
  input: Omit<GivenAmount, 'units'>;
}

type QuoteForwards = (context: QuotingContext) => Promise<QuotedRoute>;

/** Quotes a route for a fixed output: finds the least input, and declares exactly the output as minimum. */
@Injectable()
export class ExactOutputService {
  constructor(
    private readonly legs: LegQuoterService,
    private readonly estimator: InputEstimatorService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /**
   * @param quoteForwards quotes the route for an input
   * @throws RouteFailure, TooLittleFailure, MissingPriceError
   */
  async quote(
    route: Route,
    { output, input }: FixedOutput,
    request: RequestContext,
    quoteForwards: QuoteForwards,
  ): Promise<QuotedRoute> {
    const units = leastBeforeSlippage(output.units, slippageStepsOf(route), request.slippageBps);
    const target = { ...output, asset: lastToken(route), units };
    const value = equalValue(target, input, request.prices, 'up');
    const context = { ...request, input: { ...input, units: value } };
    const quoted =
      (await this.quoteAtOnce(route, target, context)) ??
      (await this.search(route, target, context, quoteForwards));
    this.checkPriceImpact(quoted, { ...context, input: { ...input, ...quoted.input } });
    return { ...quoted, fixedOutput: output.units };
  }

  /** Quotes a route of one leg without a search: venues quote exact outputs. Null for any other route. */
  private async quoteAtOnce(
    route: Route,
    output: TokenAmount,
    context: QuotingContext,
  ): Promise<QuotedRoute | null> {
    const [leg, next] = route.legs;
    if (route.ramp || !leg || next) return null;
    const [receivers = []] = shareReceivers(route.legs, context.revenueShare);
    const quoted = await this.legs.quoteExactOutput(leg, { output, receivers }, context);
    if (quoted.input.units > MAX_UINT256) throw noInput(route, context.input);
    return { input: quoted.input, onramp: null, legs: [{ ...quoted, bridge: null }] };
  }

  private async search(
    route: Route,
    target: TokenAmount,
    context: QuotingContext,
    quoteForwards: QuoteForwards,
  ): Promise<QuotedRoute> {
    const { input } = context;
    const tooLow = new TooLowInputs();
    // Flat fees weigh more in an input that the search raises later: only the result's impact counts.
    const unchecked = { ...context, allowsPriceImpact: true };
    const result = await searchInput({
      first: await this.estimator.estimate(route, target, context),
      target: target.units,
      bounds: boundsOf(route, input.decimals),
      attempt: (units) =>
        tooLow.skip(async () => {
          const quote = await quoteForwards({ ...unchecked, input: { ...input, units } });
          return { quote, output: outputOf(quote).units };
        }),
    });
    if (result.kind === 'found') return result.quote;
    if (result.kind === 'outside') throw outsideLimits(route, { ...input, units: result.input });
    throw tooLow.last ?? noInput(route, input);
  }

  private checkPriceImpact(quote: QuotedRoute, context: QuotingContext): void {
    const { input, prices, allowsPriceImpact: allowsLoss } = context;
    const maxBps = this.config.maxPriceImpactBps;
    const issue = routeImpactIssue(quote, { input, prices, maxBps, allowsLoss });
    if (issue) throw new RouteFailure([issue.source], [issue]);
  }
}

/** Failures of inputs that were too low for any output. */
class TooLowInputs {
  last: RouteFailure | TooLittleFailure | null = null;

  async skip<T>(attempt: () => Promise<Attempt<T>>): Promise<Attempt<T> | null> {
    try {
      return await attempt();
    } catch (error) {
      const isFailure = error instanceof RouteFailure;
      if (!isFailure && !(error instanceof TooLittleFailure)) throw error;
      if (isFailure && !isTooLow(error)) {
        throw error.issues.every(isAboutAmount) ? (this.last ?? error) : error;
      }
      this.last = error;
      return null;
    }
  }
}

const isTooLow = ({ issues }: RouteFailure): boolean =>
  issues.length > 0 && issues.every((issue) => isAboutAmount(issue) && issue.reason === 'TOO_LOW');

/** Limits of the onramp, where the route has one. */
function boundsOf({ ramp }: Route, decimals: number): InputBounds {
  const { min = 1n, max = MAX_UINT256 } = parseLimits(ramp?.limits ?? {}, decimals);
  return { min: maxAmount(min, 1n), max };
}

function outsideLimits(route: Route, needed: GivenAmount): RouteFailure {
  const issue = route.ramp && rampLimitIssue(route.ramp, needed);
  return route.ramp && issue
    ? new RouteFailure([route.ramp.provider], [issue])
    : noInput(route, needed);
}

function noInput({ ramp, legs }: Route, estimate: GivenAmount): RouteFailure {
  const source = ramp?.provider ?? legs[0]?.chain ?? '';
  const because = 'but no input was found that yields the fixed output.';
  const issue = amountIssue(estimate, { source, reason: 'NO_VALID_AMOUNT', because });
  return new RouteFailure([source], [issue]);
}

function lastToken({ legs }: Route): TokenIdentifier {
  const last = legs.at(-1);
  if (!last) throw new Error('a route has at least one leg');
  return last.outputToken;
}

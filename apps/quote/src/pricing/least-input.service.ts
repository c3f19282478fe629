import { addDecimals, maxAmount, parseAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { worth, type Amount } from '../routes/amount.js';
import { amountIssue } from '../routes/amount-issue.js';
import { inputReaching } from '../routes/input-limits.js';
import { MissingPriceError } from '../routes/price-book.js';
import type { QuotedRoute } from '../routes/quoted-route.js';
import type { QuotingContext, RequestContext } from '../routes/quoting-context.js';
import { RouteFailure } from '../routes/route-failure.js';
import { converts, type Route } from '../routes/route.js';
import { shareReceivers } from './business-fees.js';
import {
  feePoint,
  feeShareIssue,
  leastInputFor,
  leastInputOnLine,
  minimumOf,
  takesTooMuch,
  type FeePoint,
  type LeastInput,
} from './fee-share.js';
import { NetworkFeesService } from './network-fees.service.js';
import { TooLittleFailure } from './too-little-failure.js';

/** Gas of a conversion that was not quoted; most take less. */
const CONVERSION_GAS = 200_000n;
/** Maximum number of quotes that look for the least input. */
const MAX_ROUNDS = 3;

/** Quotes the route for another input, in smallest units. */
export type QuoteInput = (units: bigint) => Promise<QuotedRoute>;

/** Reports an amount of which fees take too much, with the least input that the route was quoted for. */
@Injectable()
export class LeastInputService {
  constructor(
    private readonly networkFees: NetworkFeesService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** Issue of fees above the accepted share, or null. @throws MissingPriceError */
  async feeShareIssue(
    quoted: QuotedRoute,
    context: QuotingContext,
    quote: QuoteInput,
  ): Promise<AmountIssue | null> {
    const point = feePoint(quoted, context);
    if (!takesTooMuch(point, context.maxFeeBps)) return null;
    const first = leastInputFor(point.fees, context);
    const least = await ifKnown(this.search(first, point, context, quote));
    return feeShareIssue(quoted, point, least, context);
  }

  /** Failure to report for an error of the route; other errors are returned unchanged. */
  async explain(
    error: unknown,
    route: Route,
    request: RequestContext,
    quote: QuoteInput,
  ): Promise<unknown> {
    if (!(error instanceof TooLittleFailure)) return error;
    const { chain, input, legInput, rest } = error;
    const context = { ...request, input };
    const estimate = await ifKnown(this.estimate(error, route, context));
    // An amount that is too little for another reason than the estimated fees has no known minimum.
    const isHelpful = estimate !== null && estimate.min > input.units;
    const least = isHelpful ? await ifKnown(this.search(estimate.min, null, context, quote)) : null;
    const isDownstream = legInput.asset !== input.asset;
    const downstreamLimits = minimumOf(estimate && estimate.atLeg, legInput.decimals);
    const issue = amountIssue(input, {
      ...{ source: chain, reason: least === 'never' ? 'NO_VALID_AMOUNT' : 'TOO_LOW' },
      limits: minimumOf(least, input.decimals),
      ...(isDownstream && { downstreamLimits }),
      because: `of which the network fee of ${chain} leaves ${rest <= 0n ? 'nothing' : 'too little'}.`,
    });
    return new RouteFailure([chain], [issue], { cause: error });
  }

  /** Quotes estimates of the least input until one is accepted. */
  private async search(
    first: bigint,
    given: FeePoint | null,
    context: QuotingContext,
    quote: QuoteInput,
  ): Promise<LeastInput> {
    let [least, last]: [LeastInput, FeePoint | null] = [first, given];
    for (let round = 0; round < MAX_ROUNDS && typeof least === 'bigint'; round += 1) {
      const point = feePoint(await quote(least), context);
      if (!takesTooMuch(point, context.maxFeeBps)) return least;
      least = last ? leastInputOnLine(last, point, context) : leastInputFor(point.fees, context);
      last = point;
    }
    return typeof least === 'bigint' ? null : least;
  }

  /** Estimates the input, and what has to reach the failed leg, for the network fees from there on. */
  private async estimate(
    { chain, legInput }: TooLittleFailure,
    { legs, ramp }: Route,
    context: QuotingContext,
  ): Promise<{ min: bigint; atLeg: bigint }> {
    const { input, prices } = context;
    const fees = await withTimeout(this.config.chainTimeoutMs, this.feesOf(legs, context));
    const valueFrom = (start: number) =>
      addDecimals(...fees.slice(start).map((fee) => worth(fee, prices)));
    const index = legs.findIndex((leg) => leg.chain === chain);
    const atLeg = leastInputFor(valueFrom(index), { ...context, input: { ...input, ...legInput } });
    const stage = { input, reached: legInput, networkFees: fees.slice(0, index) };
    const reaching =
      legInput.asset === input.asset ? atLeg : inputReaching(atLeg, stage, prices, 'min');
    const sold = ramp?.limits.min === undefined ? 0n : parseAmount(ramp.limits.min, input.decimals);
    const min = maxAmount(maxAmount(reaching, leastInputFor(valueFrom(0), context)), sold);
    return { min, atLeg };
  }

  /** Estimated network fee of each leg, in its chain's native currency. */
  private feesOf(legs: Route['legs'], context: QuotingContext): Promise<Amount[]> {
    const receivers = shareReceivers(legs, context.revenueShare);
    return Promise.all(
      legs.map((leg, index) => {
        const conversion = converts(leg) ? CONVERSION_GAS : null;
        const businessFees = receivers[index]?.length ?? 0;
        return this.networkFees.costOf(leg, { conversion, businessFees }, context);
      }),
    );
  }
}

/** Result of quoting that may fail; null where it did. */
async function ifKnown<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result;
  } catch (error) {
    const isExpected = [MissingPriceError, RouteFailure, TimeoutError, TooLittleFailure].some(
      (known) => error instanceof known,
    );
    if (!isExpected) throw error;
    return null;
  }
}

import { addDecimals, maxAmount, minAmount } from '@bascule/amounts';
import type { AmountIssue } from '@bascule/contracts';
import { TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { worth, type Amount } from '../routes/amount.js';
import { amountIssue } from '../routes/amount-issue.js';
import {
  formatLimits,
  inputReaching,
  parseLimits,
  roundLimit,
  type UnitLimits,
} from '../routes/input-limits.js';
import { MissingPriceError } from '../routes/price-book.js';
import type { QuotedRoute } from '../routes/quoted-route.js';
import type { QuotingContext, RequestContext } from '../routes/quoting-context.js';
import { RouteFailure } from '../routes/route-failure.js';
import { converts, type Route } from '../routes/route.js';
import { BridgeLimitFailure, bridgeInput, bridgeLimitIssue } from '../sources/bridge-limits.js';
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
/** Maximum number of quotes that look for a limit. */
const MAX_ROUNDS = 3;

/** Quotes the route for another input, in smallest units. */
export type QuoteInput = (units: bigint) => Promise<QuotedRoute>;

/** Route for which an amount is refused. */
interface Refused {
  route: Route;
  context: QuotingContext;
}

type Side = keyof UnitLimits;

/** Input that works, with its quote; `never` where no amount does, null where unknown. */
type Found = { units: bigint; quoted: QuotedRoute } | 'never' | null;

/** Reports refused amounts with limits of the input: amounts for which the route was quoted. */
@Injectable()
export class InputLimitsService {
  constructor(
    private readonly networkFees: NetworkFeesService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** Issue of fees above the accepted share, or null. @throws MissingPriceError */
  async feeShareIssue(
    quoted: QuotedRoute,
    refused: Refused,
    quote: QuoteInput,
  ): Promise<AmountIssue | null> {
    const { context } = refused;
    const point = feePoint(quoted, context);
    if (!takesTooMuch(point, context.maxFeeBps)) return null;
    const first = leastInputFor(point.fees, context);
    const least = await ifKnown(this.search('min', { first, given: point }, refused, quote));
    return feeShareIssue(quoted, point, inputOf(least), context);
  }

  /**
   * Failure to report for an error of the route; other errors are returned unchanged.
   * @param quote null where no limits are looked for
   */
  async explain(
    error: unknown,
    route: Route,
    request: RequestContext,
    quote: QuoteInput | null,
  ): Promise<unknown> {
    if (error instanceof BridgeLimitFailure) {
      const context = { ...request, input: error.refused.transfer.input };
      return this.explainBridgeLimit(error, { route, context }, quote);
    }
    if (error instanceof TooLittleFailure) {
      const context = { ...request, input: error.input };
      return this.explainTooLittle(error, { route, context }, quote);
    }
    return error;
  }

  private async explainBridgeLimit(
    error: BridgeLimitFailure,
    refused: Refused,
    quote: QuoteInput | null,
  ): Promise<RouteFailure> {
    const [least, most] = await Promise.all([
      this.searchAfter(error, 'min', refused, quote),
      this.searchAfter(error, 'max', refused, quote),
    ]);
    const limits = {
      ...(isWorking(least) && { min: least.units }),
      ...(isWorking(most) && { max: most.units }),
    };
    const inputs = formatLimits(limits, refused.context.input.decimals);
    const issue = bridgeLimitIssue(error.refused, inputs);
    return new RouteFailure(error.serviceIds, [issue], { cause: error });
  }

  private async explainTooLittle(
    error: TooLittleFailure,
    refused: Refused,
    quote: QuoteInput | null,
  ): Promise<RouteFailure> {
    const { chain, input, legInput, rest } = error;
    const least = await this.searchAfter(error, 'min', refused, quote);
    const index = refused.route.legs.findIndex((leg) => leg.chain === chain);
    const reaching = isWorking(least) ? (least.quoted.legs[index]?.input.units ?? null) : null;
    const isDownstream = legInput.asset !== input.asset;
    const issue = amountIssue(input, {
      ...{ source: chain, reason: least === 'never' ? 'NO_VALID_AMOUNT' : 'TOO_LOW' },
      limits: minimumOf(inputOf(least), input.decimals),
      ...(isDownstream && { downstreamLimits: minimumOf(reaching, legInput.decimals) }),
      because: `of which the network fee of ${chain} leaves ${rest <= 0n ? 'nothing' : 'too little'}.`,
    });
    return new RouteFailure([chain], [issue], { cause: error });
  }

  private async searchAfter(
    error: Error,
    side: Side,
    refused: Refused,
    quote: QuoteInput | null,
  ): Promise<Found> {
    if (quote === null) return null;
    const search = async () => {
      const first = await this.nextInput(error, side, refused);
      return this.search(side, { first, given: null }, refused, quote);
    };
    return ifKnown(search());
  }

  /** Quotes estimates of a limit until one is accepted. */
  private async search(
    side: Side,
    { first, given }: { first: bigint | null; given: FeePoint | null },
    refused: Refused,
    quote: QuoteInput,
  ): Promise<Found> {
    const { context } = refused;
    let [units, last]: [LeastInput, FeePoint | null] = [first, given];
    for (let round = 0; round < MAX_ROUNDS && typeof units === 'bigint'; round += 1) {
      try {
        const quoted = await quote(units);
        const point = feePoint(quoted, context);
        if (!takesTooMuch(point, context.maxFeeBps)) return { units, quoted };
        if (side === 'max') return null;
        units = last ? leastInputOnLine(last, point, context) : leastInputFor(point.fees, context);
        last = point;
      } catch (error) {
        units = await this.nextInput(error, side, refused);
      }
    }
    return units === 'never' ? units : null;
  }

  /** Estimates the limit from a refusal; null where it has none. @throws the error, unless another amount may help */
  private async nextInput(error: unknown, side: Side, refused: Refused): Promise<bigint | null> {
    const { route, context } = refused;
    if (error instanceof TooLittleFailure) {
      if (side === 'max') return null;
      const least = withinRamp(await this.estimate(error, route, context), side, refused);
      // An amount that is too little for another reason than the estimated fees has no known minimum.
      return least > error.input.units ? least : null;
    }
    if (!(error instanceof BridgeLimitFailure)) throw error;
    const { limits, transfer } = error.refused;
    const limit = limits[side];
    return limit === undefined
      ? null
      : withinRamp(bridgeInput(limit, transfer, side), side, refused);
  }

  /** Estimates the input for the network fees from the failed leg on. */
  private async estimate(
    { chain, legInput }: TooLittleFailure,
    { legs }: Route,
    context: QuotingContext,
  ): Promise<bigint> {
    const { input, prices } = context;
    const fees = await withTimeout(this.config.chainTimeoutMs, this.feesOf(legs, context));
    const valueFrom = (start: number) =>
      addDecimals(...fees.slice(start).map((fee) => worth(fee, prices)));
    const index = legs.findIndex((leg) => leg.chain === chain);
    const atLeg = leastInputFor(valueFrom(index), { ...context, input: { ...input, ...legInput } });
    const stage = { input, reached: legInput, networkFees: fees.slice(0, index) };
    const reaching =
      legInput.asset === input.asset ? atLeg : inputReaching(atLeg, stage, prices, 'min');
    return maxAmount(reaching, leastInputFor(valueFrom(0), context));
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

const isWorking = (found: Found): found is Exclude<Found, 'never' | null> =>
  found !== null && found !== 'never';

const inputOf = (found: Found): LeastInput => (isWorking(found) ? found.units : found);

/** The amount, or the limit of the route's onramp where that is narrower; in as few digits as it is shown. */
function withinRamp(units: bigint, side: Side, { route: { ramp }, context }: Refused): bigint {
  const sold = parseLimits(ramp?.limits ?? {}, context.input.decimals)[side];
  if (sold === undefined) return units;
  return roundLimit(side === 'min' ? maxAmount(units, sold) : minAmount(units, sold), side);
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

import { addDecimals, maxAmount, parseAmount } from '@bascule/amounts';
import type { AmountLimits } from '@bascule/contracts';
import { TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { worth, type Amount } from '../routes/amount.js';
import { amountIssue } from '../routes/amount-issue.js';
import { formatLimits, inputReaching } from '../routes/input-limits.js';
import { MissingPriceError } from '../routes/price-book.js';
import type { QuotingContext } from '../routes/quoting-context.js';
import { RouteFailure } from '../routes/route-failure.js';
import { converts, type Route } from '../routes/route.js';
import { shareReceivers } from './business-fees.js';
import { leastInputFor } from './fee-share.js';
import { NetworkFeesService } from './network-fees.service.js';
import { TooLittleFailure } from './too-little-failure.js';

/** Gas of a conversion that was not quoted; most take less. */
const CONVERSION_GAS = 200_000n;

interface LeastInput {
  limits: AmountLimits;
  downstreamLimits: AmountLimits;
}

/** Turns an amount that fees consume into an issue with the input that is enough for all legs of the route. */
@Injectable()
export class LeastInputService {
  constructor(
    private readonly networkFees: NetworkFeesService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** Failure to report for an error of the route; other errors are returned unchanged. */
  async explain(error: unknown, route: Route, context: QuotingContext): Promise<unknown> {
    if (!(error instanceof TooLittleFailure)) return error;
    const { chain, legInput, rest } = error;
    const { limits, downstreamLimits } = await this.leastInput(error, route, context);
    const isDownstream = legInput.asset !== context.input.asset;
    const issue = amountIssue(context.input, {
      ...{ source: chain, reason: 'TOO_LOW', limits, ...(isDownstream && { downstreamLimits }) },
      because: `of which the network fee of ${chain} leaves ${rest <= 0n ? 'nothing' : 'too little'}.`,
    });
    return new RouteFailure([chain], [issue], { cause: error });
  }

  private async leastInput(
    failure: TooLittleFailure,
    route: Route,
    context: QuotingContext,
  ): Promise<LeastInput> {
    try {
      const fees = await withTimeout(this.config.chainTimeoutMs, this.feesOf(route.legs, context));
      return leastInput(failure, route, fees, context);
    } catch (error) {
      const isUnknown = [MissingPriceError, RouteFailure, TimeoutError].some(
        (known) => error instanceof known,
      );
      if (!isUnknown) throw error;
      return { limits: {}, downstreamLimits: {} };
    }
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

/** @throws MissingPriceError */
function leastInput(
  { chain, legInput }: TooLittleFailure,
  { legs, ramp }: Route,
  networkFees: readonly Amount[],
  context: QuotingContext,
): LeastInput {
  const { input, prices } = context;
  const valueFrom = (start: number) =>
    addDecimals(...networkFees.slice(start).map((fee) => worth(fee, prices)));
  const index = legs.findIndex((leg) => leg.chain === chain);
  const atLeg = leastInputFor(valueFrom(index), { ...context, input: { ...input, ...legInput } });
  const stage = { input, reached: legInput, networkFees: networkFees.slice(0, index) };
  const reaching =
    legInput.asset === input.asset ? atLeg : inputReaching(atLeg, stage, prices, 'min');
  const sold = ramp?.limits.min === undefined ? 0n : parseAmount(ramp.limits.min, input.decimals);
  const min = maxAmount(maxAmount(reaching, leastInputFor(valueFrom(0), context)), sold);
  return {
    // An amount that is too little for another reason than the estimated fees has no known minimum.
    limits: formatLimits(min > input.units ? { min } : {}, input.decimals),
    downstreamLimits: formatLimits({ min: atLeg }, legInput.decimals),
  };
}

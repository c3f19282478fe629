import { convert } from '@bascule/amounts';
import { Injectable } from '@nestjs/common';
import { shareReceivers } from '../pricing/business-fees.js';
import { LegQuoterService } from '../pricing/leg-quoter.service.js';
import type { Amount } from '../routes/fee-breakdown.js';
import type { PriceBook } from '../routes/price-book.js';
import type { TokenAmount } from '../routes/quoted-route.js';
import { requireToken, type QuotingContext } from '../routes/quoting-context.js';
import type { BridgeLane, Route } from '../routes/route.js';

/** Amount of another asset of equal value, rounded up. @throws MissingPriceError */
export const equalValue = (
  { asset, decimals, units }: Amount,
  other: { asset: string; decimals: number },
  prices: PriceBook,
): bigint =>
  convert(
    ...([units, decimals, prices.priceOf(asset)] as const),
    ...([other.decimals, prices.priceOf(other.asset), 'up'] as const),
  );

/** Estimates the input of a route from its output, from the last leg to the first. */
@Injectable()
export class InputEstimatorService {
  constructor(private readonly legs: LegQuoterService) {}

  /** @throws RouteFailure, MissingPriceError */
  async estimate(route: Route, output: TokenAmount, context: QuotingContext): Promise<bigint> {
    const receivers = shareReceivers(route.legs, context.revenueShare);
    let needed = output;
    for (const [index, leg] of [...route.legs.entries()].toReversed()) {
      if (leg.lane) needed = this.sentOver(leg.lane, needed, context);
      const wanted = { output: needed, receivers: receivers[index] ?? [] };
      needed = await this.legs.estimateInput(leg, wanted, context);
    }
    return route.ramp ? equalValue(needed, context.input, context.prices) : needed.units;
  }

  /** Assumes a bridge without fees; the search adds them. */
  private sentOver(
    { inputToken }: BridgeLane,
    delivered: TokenAmount,
    context: QuotingContext,
  ): TokenAmount {
    const { decimals } = requireToken(context, inputToken);
    const sent = { asset: inputToken, decimals };
    return { ...sent, units: equalValue(delivered, sent, context.prices) };
  }
}

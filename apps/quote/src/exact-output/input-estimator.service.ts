import { Injectable } from '@nestjs/common';
import { shareReceivers } from '../pricing/business-fees.js';
import { LegQuoterService } from '../pricing/leg-quoter.service.js';
import { equalValue } from '../routes/amount.js';
import type { TokenAmount } from '../routes/quoted-route.js';
import { requireToken, type QuotingContext } from '../routes/quoting-context.js';
import type { BridgeLane, Route } from '../routes/route.js';

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
      needed = (await this.legs.quoteExactOutput(leg, wanted, context)).input;
    }
    return route.ramp ? equalValue(needed, context.input, context.prices, 'up') : needed.units;
  }

  /** Assumes a bridge without fees; the search adds them. */
  private sentOver(
    { inputToken }: BridgeLane,
    delivered: TokenAmount,
    context: QuotingContext,
  ): TokenAmount {
    const { decimals } = requireToken(context, inputToken);
    const sent = { asset: inputToken, decimals };
    return { ...sent, units: equalValue(delivered, sent, context.prices, 'up') };
  }
}

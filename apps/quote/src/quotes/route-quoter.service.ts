import { Injectable } from '@nestjs/common';
import { feeBreakdown } from '../routes/fee-breakdown.js';
import { LegQuoterService } from '../pricing/leg-quoter.service.js';
import { OnrampQuoterService } from '../sources/onramps/onramp-quoter.service.js';
import {
  outputOf,
  uncertaintiesIn,
  type PricedRoute,
  type QuotedLeg,
  type QuotedOnramp,
  type TokenAmount,
} from '../routes/quoted-route.js';
import type { Route } from '../routes/route.js';
import { tokenIn, type QuotingContext } from '../routes/quoting-context.js';

/** Asks everybody on a route, in its order, for amounts. */
@Injectable()
export class RouteQuoterService {
  constructor(
    private readonly onramps: OnrampQuoterService,
    private readonly legQuoter: LegQuoterService,
  ) {}

  /** @throws RouteFailure, MissingPriceError */
  async quote(route: Route, context: QuotingContext): Promise<PricedRoute> {
    const { input, prices } = context;
    const { onramp, deposit } = await this.fund(route, context);
    const legs = await this.quoteLegs(route, deposit, context);
    const quoted = { input, onramp, legs };
    const network = legs.map((leg) => ({ ...leg.input, units: leg.networkFee }));
    const output = outputOf(quoted);
    return { ...quoted, fees: feeBreakdown({ input, output, network, business: [], prices }) };
  }

  private async quoteLegs(
    { ramp, legs }: Route,
    deposit: TokenAmount,
    context: QuotingContext,
  ): Promise<QuotedLeg[]> {
    const ofOnramp = Number(ramp !== null);
    const quoted: QuotedLeg[] = [];
    for (const leg of legs) {
      const arriving = quoted.at(-1)?.bridge?.delivered ?? deposit;
      const uncertainties = quoted.map(uncertaintiesIn).reduce((sum, each) => sum + each, ofOnramp);
      quoted.push(await this.legQuoter.quote(leg, { arriving, uncertainties }, context));
    }
    return quoted;
  }

  private async fund(
    { ramp }: Route,
    context: QuotingContext,
  ): Promise<{ onramp: QuotedOnramp | null; deposit: TokenAmount }> {
    const { input } = context;
    const { id, decimals } = tokenIn(context, ramp?.token ?? input.asset);
    if (!ramp) return { onramp: null, deposit: { ...input, asset: id } };
    return this.onramps.buy({ ...context, ramp, tokenDecimals: decimals });
  }
}

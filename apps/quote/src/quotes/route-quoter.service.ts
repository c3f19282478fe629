import { Chains, ZERO_ADDRESS, type Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { OnrampCustomer } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import { GasPrices } from '../conversions/gas-prices.service.js';
import { priceImpactIssue } from '../conversions/price-impact.js';
import { VenueQuoter } from '../conversions/venue-quoter.service.js';
import { feeBreakdown, type Amount } from '../fees/fee-breakdown.js';
import { legGas } from '../fees/gas-estimate.js';
import { networkFee } from '../fees/network-fee.js';
import { OnrampQuoter } from '../onramps/onramp-quoter.service.js';
import type { PricedRoute, QuotedOnramp, QuotedRoute, TokenAmount } from '../plan/quoted-route.js';
import type { PriceBook } from '../prices/price-book.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../quote.config.js';
import type { KnownAssets, KnownToken } from '../routing/known-asset.js';
import { isTransfer, type Route, type RouteLeg } from '../routing/routing-graph.js';
import { DeadlineError, withDeadline } from './deadline.js';
import { RouteFailure } from './route-failure.js';
import { tooLittle } from './too-little.js';

export interface QuotingContext {
  assets: KnownAssets;
  input: Amount;
  customer: OnrampCustomer;
  prices: PriceBook;
  /** Whether a conversion may give any value for any other. */
  anyPriceImpact: boolean;
}

interface Funded {
  leg: RouteLeg;
  input: Amount;
  onramp: QuotedOnramp | null;
  deposit: TokenAmount;
}

/** Asks everybody on a route, in its order, for amounts. */
@Injectable()
export class RouteQuoter {
  constructor(
    private readonly chains: Chains,
    private readonly onramps: OnrampQuoter,
    private readonly venues: VenueQuoter,
    private readonly gasPrices: GasPrices,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** @throws RouteFailure, MissingPriceError */
  async quote(route: Route, context: QuotingContext): Promise<PricedRoute> {
    const quoted = await this.amounts(route, context);
    const { input, deposit, networkFee: units, output } = quoted;
    const network = [{ ...deposit, units }];
    const { prices } = context;
    return { ...quoted, fees: feeBreakdown({ input, output, network, business: [], prices }) };
  }

  private async amounts(route: Route, context: QuotingContext): Promise<QuotedRoute> {
    const funded = await this.fund(route, context);
    const chain = this.chains.get(route.leg.chain);
    try {
      return await withDeadline(this.config.chainTimeoutMs, () =>
        isTransfer(route.leg)
          ? this.transfer(chain, funded, context)
          : this.convert(chain, funded, context),
      );
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      const message = `${chain.name} did not answer in time.`;
      throw new RouteFailure([chain.name], [{ kind: 'other', message }], { cause: error });
    }
  }

  private async fund({ ramp, leg }: Route, context: QuotingContext): Promise<Funded> {
    const { input } = context;
    const { decimals } = token(leg.inputToken, context);
    if (!ramp) {
      return { leg, input, onramp: null, deposit: { ...input, asset: leg.inputToken } };
    }
    return {
      leg,
      input,
      ...(await this.onramps.buy({ ...context, ramp, tokenDecimals: decimals })),
    };
  }

  private async transfer(
    chain: Chain,
    funded: Funded,
    context: QuotingContext,
  ): Promise<QuotedRoute> {
    const fee = await this.fee(chain, funded, null, context);
    const units = funded.deposit.units - fee;
    return { ...funded, networkFee: fee, venue: null, output: { ...funded.deposit, units } };
  }

  /**
   * Asked twice: the fee, which the first answer's gas decides, is taken before the conversion. An amount that not
   * even the least fee leaves anything of is too little whatever the venues say, who are asked for their gas only; so
   * is one whose rest they give nothing for.
   */
  private async convert(
    chain: Chain,
    funded: Funded,
    context: QuotingContext,
  ): Promise<QuotedRoute> {
    const { leg, deposit } = funded;
    const leastFee = await this.gasCost(chain, deposit, 0n, context);
    const estimate =
      deposit.units > leastFee
        ? await this.venues.convert(chain, leg, deposit.units)
        : await this.venues.tryConvert(chain, leg, leastFee).catch(() => null);
    const fee = await this.fee(chain, funded, estimate?.gas ?? 0n, context);
    const converted = { ...deposit, units: deposit.units - fee };
    const quote = await this.venues.tryConvert(chain, leg, converted.units);
    if (!quote) throw tooLittleLeft(chain, funded, fee);
    const { decimals } = token(leg.outputToken, context);
    const { venue, amountOut } = quote;
    const output = { asset: leg.outputToken, decimals, units: amountOut };
    this.requireFairValue({ converted, output, venue }, context);
    return { ...funded, networkFee: fee, venue, output };
  }

  private requireFairValue(
    conversion: { converted: Amount; output: Amount; venue: string },
    { input, prices, anyPriceImpact }: QuotingContext,
  ): void {
    if (anyPriceImpact) return;
    const maxBps = this.config.maxPriceImpactBps;
    const issue = priceImpactIssue({ ...conversion, input, maxBps, prices });
    if (issue) throw new RouteFailure([conversion.venue], [issue]);
  }

  /** Always less than the deposit. */
  private async fee(
    chain: Chain,
    funded: Funded,
    conversionGas: bigint | null,
    context: QuotingContext,
  ): Promise<bigint> {
    const fee = await this.gasCost(chain, funded.deposit, conversionGas, context);
    if (fee < funded.deposit.units) return fee;
    throw tooLittleLeft(chain, funded, fee);
  }

  private async gasCost(
    chain: Chain,
    token: TokenAmount,
    conversionGas: bigint | null,
    { prices }: QuotingContext,
  ): Promise<bigint> {
    const gasPrice = await this.gasPrices.of(chain).catch((cause: unknown) => {
      const message = `The gas price of ${chain.name} is unknown.`;
      throw new RouteFailure([chain.name], [{ kind: 'other', message }], { cause });
    });
    return networkFee({
      gas: legGas(conversionGas),
      gasPrice,
      native: {
        id: tokenIdentifier(chain.name, ZERO_ADDRESS),
        decimals: chain.definition.nativeCurrency.decimals,
      },
      token: { id: token.asset, decimals: token.decimals },
      prices,
    });
  }
}

function tooLittleLeft(chain: Chain, { input, deposit }: Funded, networkFee: bigint): RouteFailure {
  const issue = tooLittle({ input, deposit, networkFee, chain: chain.name });
  return new RouteFailure([chain.name], [issue]);
}

function token(id: string, { assets }: QuotingContext): KnownToken {
  const asset = assets.get(id);
  if (asset?.kind !== 'token') throw new Error(`${id} is not a listed token`);
  return asset;
}

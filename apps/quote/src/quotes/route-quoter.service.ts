import { Chains, ZERO_ADDRESS, type Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import type { OnrampCustomer } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import { GasPrices } from '../conversions/gas-prices.service.js';
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

  /** Asked twice: the fee, which the first answer's gas decides, is taken before the conversion. */
  private async convert(
    chain: Chain,
    funded: Funded,
    context: QuotingContext,
  ): Promise<QuotedRoute> {
    const { leg, deposit } = funded;
    const estimate = await this.venues.convert(chain, leg, deposit.units);
    const fee = await this.fee(chain, funded, estimate.gas, context);
    const quote = await this.venues.convert(chain, leg, deposit.units - fee);
    const { decimals } = token(leg.outputToken, context);
    return {
      ...funded,
      networkFee: fee,
      venue: quote.venue,
      output: { asset: leg.outputToken, decimals, units: quote.amountOut },
    };
  }

  /** Always less than the deposit. */
  private async fee(
    chain: Chain,
    { input, deposit }: Funded,
    conversionGas: bigint | null,
    { prices }: QuotingContext,
  ): Promise<bigint> {
    const gasPrice = await this.gasPrices.of(chain).catch((cause: unknown) => {
      const message = `The gas price of ${chain.name} is unknown.`;
      throw new RouteFailure([chain.name], [{ kind: 'other', message }], { cause });
    });
    const fee = networkFee({
      gas: legGas(conversionGas),
      gasPrice,
      native: {
        id: tokenIdentifier(chain.name, ZERO_ADDRESS),
        decimals: chain.definition.nativeCurrency.decimals,
      },
      token: { id: deposit.asset, decimals: deposit.decimals },
      prices,
    });
    if (fee < deposit.units) return fee;
    const issue = tooLittle({ input, deposit, networkFee: fee, chain: chain.name });
    throw new RouteFailure([chain.name], [issue]);
  }
}

function token(id: string, { assets }: QuotingContext): KnownToken {
  const asset = assets.get(id);
  if (asset?.kind !== 'token') throw new Error(`${id} is not a listed token`);
  return asset;
}

import { Chains, type Chain } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import { BridgeQuoterService } from '../sources/bridges/bridge-quoter.service.js';
import { ConversionCoverageService } from '../sources/conversions/conversion-coverage.service.js';
import { priceImpactIssue } from '../sources/price-impact.js';
import { VenueQuoterService } from '../sources/conversions/venue-quoter.service.js';
import { legGas } from './gas-estimate.js';
import { NetworkFeesService } from './network-fees.service.js';
import { atLeast } from '../routes/slippage.js';
import type { QuotedLeg, TokenAmount } from '../routes/quoted-route.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote-config.js';
import { TimeoutError, withTimeout } from '@bascule/process';
import { tokenIn, type QuotingContext } from '../routes/quoting-context.js';
import { RouteFailure, SilentChainFailure } from '../routes/route-failure.js';
import { converts, type RouteLeg } from '../routes/route.js';
import { tooLittle } from './too-little.js';

interface Asked {
  chain: Chain;
  leg: RouteLeg;
  input: TokenAmount;
  context: QuotingContext;
}

type OnChain = Pick<QuotedLeg, 'networkFee' | 'venue' | 'output'>;

/** Asks for what happens on one chain, in its order: the fee is taken, the rest converted, its output bridged. */
@Injectable()
export class LegQuoterService {
  constructor(
    private readonly chains: Chains,
    private readonly venues: VenueQuoterService,
    private readonly bridges: BridgeQuoterService,
    private readonly fees: NetworkFeesService,
    private readonly conversions: ConversionCoverageService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /**
   * @param arriving what reaches the wallet on the leg's chain
   * @param uncertainties how often others have decided before how much that is
   * @throws RouteFailure, MissingPriceError
   */
  async quote(
    leg: RouteLeg,
    { arriving: input, uncertainties }: { arriving: TokenAmount; uncertainties: number },
    context: QuotingContext,
  ): Promise<QuotedLeg> {
    const asked = { chain: this.chains.get(leg.chain), leg, input, context };
    const onChain = await this.quoteOnChain(asked);
    const bridge = leg.lane && (await this.cross(asked, onChain, uncertainties));
    return { chain: leg.chain, input, ...onChain, bridge };
  }

  private cross(
    { chain, leg, context }: Asked,
    { output, networkFee, venue }: OnChain,
    uncertainties: number,
  ) {
    const { lane } = leg;
    if (lane === null) return null;
    const destination = this.chains.get(tokenIn(context, lane.outputToken).chain);
    const converted = uncertainties + Number(venue !== null);
    const leastSent = atLeast(output.units, converted, context.slippageBps);
    return this.bridges.carry(
      { lane, origin: chain, destination, sent: output, leastSent, networkFee },
      context,
    );
  }

  private async quoteOnChain(asked: Asked): Promise<OnChain> {
    const { chain, leg } = asked;
    try {
      return await withTimeout(this.config.chainTimeoutMs, () =>
        converts(leg) ? this.convert(asked) : this.keep(asked),
      );
    } catch (error) {
      const failure = error instanceof TimeoutError ? tooLate(chain, error) : error;
      if (failure instanceof SilentChainFailure) this.conversions.doubt(chain.name);
      throw failure;
    }
  }

  private async keep(asked: Asked): Promise<OnChain> {
    const { input } = asked;
    const networkFee = await this.fee(asked, null);
    if (networkFee >= input.units) throw tooLittleLeft(asked, networkFee);
    return { networkFee, venue: null, output: { ...input, units: input.units - networkFee } };
  }

  /**
   * Asked twice: the fee, which the first answer's gas decides, is taken before the conversion. An amount that not
   * even the least fee leaves anything of is too little whatever the venues say, who are asked for their gas only; so
   * is one whose rest they give nothing for.
   */
  private async convert(asked: Asked): Promise<OnChain> {
    const { chain, leg, input, context } = asked;
    const leastFee = await this.fee(asked, 0n);
    const estimate =
      input.units > leastFee
        ? await this.venues.convert(chain, leg, input.units)
        : await this.venues.tryConvert(chain, leg, leastFee).catch(() => null);
    const networkFee = await this.fee(asked, estimate?.gas ?? 0n);
    if (networkFee >= input.units) throw tooLittleLeft(asked, networkFee);
    const converted = { ...input, units: input.units - networkFee };
    const quote = await this.venues.tryConvert(chain, leg, converted.units);
    if (!quote) throw tooLittleLeft(asked, networkFee);
    const { decimals } = tokenIn(context, leg.outputToken);
    const output = { asset: leg.outputToken, decimals, units: quote.amountOut };
    this.requireFairValue({ converted, output, venue: quote.venue }, context);
    return { networkFee, venue: quote.venue, output };
  }

  private requireFairValue(
    conversion: { converted: TokenAmount; output: TokenAmount; venue: string },
    { input, prices, anyPriceImpact }: QuotingContext,
  ): void {
    if (anyPriceImpact) return;
    const maxBps = this.config.maxPriceImpactBps;
    const issue = priceImpactIssue({ ...conversion, input, maxBps, prices });
    if (issue) throw new RouteFailure([conversion.venue], [issue]);
  }

  private fee({ chain, leg, input, context }: Asked, conversion: bigint | null): Promise<bigint> {
    const bridge = leg.lane && this.bridges.gasOf(leg.lane);
    return this.fees.of(chain, legGas({ conversion, bridge }), input, context.prices);
  }
}

function tooLate(chain: Chain, cause: TimeoutError): SilentChainFailure {
  const message = `${chain.name} did not answer in time.`;
  return new SilentChainFailure([chain.name], [{ kind: 'other', message }], { cause });
}

function tooLittleLeft({ chain, input, context }: Asked, networkFee: bigint): RouteFailure {
  const issue = tooLittle({ given: context.input, arriving: input, networkFee, chain: chain.name });
  return new RouteFailure([chain.name], [issue]);
}

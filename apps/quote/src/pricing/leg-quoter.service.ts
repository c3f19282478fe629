import { Chains, type Chain } from '@bascule/chain';
import { tokenIdentifier } from '@bascule/contracts';
import { TimeoutError, withTimeout } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import { zeroAddress } from 'viem';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import {
  minAfterSlippage,
  type QuotedBridge,
  type QuotedLeg,
  type TokenAmount,
} from '../routes/quoted-route.js';
import { requireToken, type QuotingContext } from '../routes/quoting-context.js';
import { ChainUnavailableFailure, RouteFailure } from '../routes/route-failure.js';
import { converts, type RouteLeg } from '../routes/route.js';
import { BridgeQuoterService } from '../sources/bridge-quoter.service.js';
import { CoverageService } from '../sources/coverage.service.js';
import { GasPricesService } from '../sources/gas-prices.service.js';
import { priceImpactIssue } from '../sources/price-checks.js';
import { VenueQuoterService } from '../sources/venue-quoter.service.js';
import { amountTooLowIssue, legGas, networkFee } from './network-fee.js';

interface LegRequest {
  chain: Chain;
  leg: RouteLeg;
  input: TokenAmount;
  context: QuotingContext;
}

type OnChain = Pick<QuotedLeg, 'networkFee' | 'venue' | 'output'>;

/** Quotes one leg in the order of its execution: network fee, conversion, bridge. */
@Injectable()
export class LegQuoterService {
  constructor(
    private readonly chains: Chains,
    private readonly venues: VenueQuoterService,
    private readonly bridges: BridgeQuoterService,
    private readonly gasPrices: GasPricesService,
    private readonly coverage: CoverageService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /**
   * @param input amount that reaches the wallet on the leg's chain
   * @param slippageSteps number of earlier steps that may deliver less than quoted
   * @throws RouteFailure, MissingPriceError
   */
  async quote(
    leg: RouteLeg,
    { input, slippageSteps }: { input: TokenAmount; slippageSteps: number },
    context: QuotingContext,
  ): Promise<QuotedLeg> {
    const request = { chain: this.chains.get(leg.chain), leg, input, context };
    const onChain = await this.quoteOnChain(request);
    const bridge = await this.quoteBridge(request, onChain, slippageSteps);
    return { chain: leg.chain, input, ...onChain, bridge };
  }

  private async quoteBridge(
    { chain, leg, context }: LegRequest,
    { output, networkFee: fee, venue }: OnChain,
    slippageSteps: number,
  ): Promise<QuotedBridge | null> {
    const { lane } = leg;
    if (lane === null) return null;
    const destination = this.chains.get(requireToken(context, lane.outputToken).chain);
    const steps = slippageSteps + Number(venue !== null);
    const minSent = minAfterSlippage(output.units, steps, context.slippageBps);
    return this.bridges.quote(
      { lane, origin: chain, destination, sent: output, minSent, networkFee: fee },
      context,
    );
  }

  private async quoteOnChain(request: LegRequest): Promise<OnChain> {
    const { chain, leg } = request;
    try {
      return await withTimeout(this.config.chainTimeoutMs, () =>
        converts(leg) ? this.quoteConversion(request) : this.quoteTransfer(request),
      );
    } catch (error) {
      const failure = error instanceof TimeoutError ? chainTimedOut(chain, error) : error;
      if (failure instanceof ChainUnavailableFailure) this.coverage.recheckChain(chain.name);
      throw failure;
    }
  }

  private async quoteTransfer(request: LegRequest): Promise<OnChain> {
    const { input } = request;
    const fee = await this.fee(request, null);
    if (fee >= input.units) throw amountTooLow(request, fee);
    return { networkFee: fee, venue: null, output: { ...input, units: input.units - fee } };
  }

  /**
   * Quotes twice, since the fee is deducted before the conversion and depends on the venue's gas. An input below the
   * least possible fee is too low whatever the venues quote; they then only estimate gas for the reported minimum.
   */
  private async quoteConversion(request: LegRequest): Promise<OnChain> {
    const { chain, leg, input, context } = request;
    const leastFee = await this.fee(request, 0n);
    const estimate =
      input.units > leastFee
        ? await this.venues.requireQuote(chain, leg, input.units)
        : await this.venues.findQuote(chain, leg, leastFee).catch(() => null);
    const fee = await this.fee(request, estimate?.gas ?? 0n);
    if (fee >= input.units) throw amountTooLow(request, fee);
    const converted = { ...input, units: input.units - fee };
    const quote = await this.venues.findQuote(chain, leg, converted.units);
    if (!quote) throw amountTooLow(request, fee);
    const { decimals } = requireToken(context, leg.outputToken);
    const output = { asset: leg.outputToken, decimals, units: quote.amountOut };
    this.checkPriceImpact({ converted, output, venue: quote.venue }, context);
    return { networkFee: fee, venue: quote.venue, output };
  }

  private checkPriceImpact(
    conversion: { converted: TokenAmount; output: TokenAmount; venue: string },
    { input, prices, allowsPriceImpact }: QuotingContext,
  ): void {
    if (allowsPriceImpact) return;
    const maxBps = this.config.maxPriceImpactBps;
    const issue = priceImpactIssue({ ...conversion, input, maxBps, prices });
    if (issue) throw new RouteFailure([conversion.venue], [issue]);
  }

  private async fee(
    { chain, leg, input, context }: LegRequest,
    conversion: bigint | null,
  ): Promise<bigint> {
    const bridge = leg.lane && this.bridges.gasOf(leg.lane);
    const gasPrice = await this.gasPrices.of(chain).catch((cause: unknown) => {
      const message = `Could not read the gas price of ${chain.name}.`;
      throw new ChainUnavailableFailure([chain.name], [{ kind: 'other', message }], { cause });
    });
    return networkFee({
      gas: legGas({ conversion, bridge }),
      gasPrice,
      native: {
        id: tokenIdentifier(chain.name, zeroAddress),
        decimals: chain.definition.nativeCurrency.decimals,
      },
      token: { id: input.asset, decimals: input.decimals },
      prices: context.prices,
    });
  }
}

function chainTimedOut(chain: Chain, cause: TimeoutError): ChainUnavailableFailure {
  const message = `${chain.name} timed out.`;
  return new ChainUnavailableFailure([chain.name], [{ kind: 'other', message }], { cause });
}

function amountTooLow({ chain, input, context }: LegRequest, fee: bigint): RouteFailure {
  const facts = { given: context.input, legInput: input, networkFee: fee, chain: chain.name };
  return new RouteFailure([chain.name], [amountTooLowIssue(facts)]);
}

import { formatAmount } from '@bascule/amounts';
import { Chains, type Chain } from '@bascule/chain';
import type { AmountIssue } from '@bascule/contracts';
import { TimeoutError, withTimeout } from '@bascule/process';
import type { ExactOutputQuote, VenueQuote } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { equalValue } from '../routes/amount.js';
import { amountIssue } from '../routes/amount-issue.js';
import {
  feesOf,
  minAfterSlippage,
  type QuotedBridge,
  type QuotedLeg,
  type TokenAmount,
} from '../routes/quoted-route.js';
import { requireToken, type QuotingContext } from '../routes/quoting-context.js';
import {
  amountBefore,
  totalPpm,
  type BusinessFee,
  type ShareReceiver,
} from '../routes/revenue-share.js';
import { ChainUnavailableFailure, RouteFailure } from '../routes/route-failure.js';
import { converts, type RouteLeg } from '../routes/route.js';
import { BridgeQuoterService } from '../sources/bridge-quoter.service.js';
import { CoverageService } from '../sources/coverage.service.js';
import { priceImpactIssue } from '../sources/price-checks.js';
import { VenueQuoterService } from '../sources/venue-quoter.service.js';
import { businessFees } from './business-fees.js';
import { customActionsOf, customGasLimit, quotedActions } from './custom-actions.js';
import { legGasLimit } from './leg-gas.js';
import { NetworkFeesService } from './network-fees.service.js';
import { TooLittleFailure } from './too-little-failure.js';

interface LegRequest {
  chain: Chain;
  leg: RouteLeg;
  input: TokenAmount;
  context: QuotingContext;
  /** Receivers of the revenue share on this leg. */
  receivers: readonly ShareReceiver[];
  /** Their amounts. */
  shares: readonly BusinessFee[];
}

type GasFacts = Pick<QuotedLeg, 'gas' | 'gasCost' | 'gasLimit' | 'custom'>;
type OnChain = GasFacts & Pick<QuotedLeg, 'networkFee' | 'businessFees' | 'venue' | 'output'>;

interface PricedConversion {
  converted: TokenAmount;
  output: TokenAmount;
  venue: string;
}

/** Network fee in the leg's input token, and the cost that it repays. */
interface Charge {
  fee: bigint;
  gasCost: bigint;
}

/** Quotes one leg in the order of its execution: network fee, conversion, bridge. */
@Injectable()
export class LegQuoterService {
  constructor(
    private readonly chains: Chains,
    private readonly venues: VenueQuoterService,
    private readonly bridges: BridgeQuoterService,
    private readonly networkFees: NetworkFeesService,
    private readonly coverage: CoverageService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /**
   * @param input amount that reaches the wallet on the leg's chain
   * @param slippageSteps number of earlier steps that may deliver less than quoted
   * @param receivers receivers of the revenue share on this leg
   * @throws RouteFailure, TooLittleFailure, MissingPriceError
   */
  async quote(
    leg: RouteLeg,
    {
      input,
      slippageSteps,
      receivers,
    }: { input: TokenAmount; slippageSteps: number; receivers: readonly ShareReceiver[] },
    context: QuotingContext,
  ): Promise<QuotedLeg> {
    const shares = businessFees(receivers, input, context);
    const request = { chain: this.chains.get(leg.chain), leg, input, context, receivers, shares };
    const onChain = await this.quoteOnChain(request);
    const bridge = await this.quoteBridge(request, onChain, slippageSteps);
    return { chain: leg.chain, input, ...onChain, bridge };
  }

  /**
   * Quotes the least input that gives at least `output` before the leg's bridge or payout. A revenue share on another leg
   * than the first is estimated: it is a share of the payment's input.
   * @param receivers receivers of the revenue share on this leg
   * @throws RouteFailure, MissingPriceError
   */
  async quoteExactOutput(
    leg: RouteLeg,
    { output, receivers }: { output: TokenAmount; receivers: readonly ShareReceiver[] },
    context: QuotingContext,
  ): Promise<Omit<QuotedLeg, 'bridge'>> {
    const chain = this.chains.get(leg.chain);
    const { decimals } = requireToken(context, leg.inputToken);
    const token = { asset: leg.inputToken, decimals, units: 0n };
    return this.onChain(chain, async () => {
      const hasUsualPrice = ({ amountIn: units, venue }: ExactOutputQuote) =>
        this.hasUsualPrice({ converted: { ...token, units }, output, venue }, context);
      const { caches, prices } = context;
      const conversion = converts(leg)
        ? await this.venues.findExactOutput(
            { chain, leg, gasValue: await this.networkFees.gasValueIn(chain, token, prices) },
            ...([output.units, caches, hasUsualPrice] as const),
          )
        : null;
      if (converts(leg) && !conversion) throw outputTooHigh(chain, output, context);
      const gas = conversion?.gas ?? null;
      const request = { leg, input: token, context, receivers };
      const charge = await this.charge(request, gas);
      const { fee } = charge;
      const deducted = { fee, ppm: totalPpm(receivers) };
      const units = amountBefore(conversion?.amountIn ?? output.units, deducted);
      const input = { ...token, units };
      const given = input.asset === context.input.asset ? input : context.input;
      const shares = businessFees(receivers, input, { ...context, input: given });
      const fees = { networkFee: fee, businessFees: shares };
      const rest = { ...input, units: units - feesOf(fees) };
      return {
        ...{ chain: leg.chain, input, ...fees, venue: conversion?.venue ?? null },
        output: conversion ? output : rest,
        ...this.gasFacts(request, gas, charge),
      };
    });
  }

  private async quoteBridge(
    { chain, leg, input, context, receivers }: LegRequest,
    { output, networkFee: fee, venue }: OnChain,
    slippageSteps: number,
  ): Promise<QuotedBridge | null> {
    const { lane } = leg;
    if (lane === null) return null;
    const destination = this.chains.get(requireToken(context, lane.outputToken).chain);
    const steps = slippageSteps + Number(venue !== null);
    const minSent = minAfterSlippage(output.units, steps, context.slippageBps);
    return this.bridges.quote(
      {
        ...{ lane, origin: chain, destination, legInput: input, sent: output, minSent },
        deducted: { fee, ppm: totalPpm(receivers) },
      },
      context,
    );
  }

  private async quoteOnChain(request: LegRequest): Promise<OnChain> {
    return this.onChain(request.chain, () =>
      converts(request.leg) ? this.quoteConversion(request) : this.quoteTransfer(request),
    );
  }

  private async onChain<T>(chain: Chain, ask: () => Promise<T>): Promise<T> {
    try {
      return await withTimeout(this.config.chainTimeoutMs, ask);
    } catch (error) {
      const failure = error instanceof TimeoutError ? chainTimedOut(chain, error) : error;
      if (failure instanceof ChainUnavailableFailure) this.coverage.recheckChain(chain.name);
      throw failure;
    }
  }

  private async quoteTransfer(request: LegRequest): Promise<OnChain> {
    const charge = await this.charge(request, null);
    const { fee } = charge;
    const output = amountAfter(request, fee);
    if (output.units <= 0n) throw tooLittle(request, fee);
    const facts = this.gasFacts(request, null, charge);
    return { networkFee: fee, businessFees: request.shares, venue: null, output, ...facts };
  }

  /**
   * Quotes twice, since the fee is deducted before the conversion and depends on the venue's gas. An input below the
   * least possible fee is too low whatever the venues quote; they then only estimate gas for the reported minimum.
   */
  private async quoteConversion(request: LegRequest): Promise<OnChain> {
    const { chain, leg, input, context, shares } = request;
    const { caches } = context;
    const { outputToken: asset } = leg;
    const { decimals } = requireToken(context, asset);
    const gasValue = await this.networkFees.gasValueIn(chain, { asset, decimals }, context.prices);
    const tokens = { chain, leg, gasValue };
    const { fee: leastFee } = await this.charge(request, 0n);
    const estimate =
      amountAfter(request, leastFee).units > 0n
        ? await this.venues.requireQuote(tokens, input.units, caches)
        : await this.venues.findQuote(tokens, leastFee, caches).catch(() => null);
    const charge = await this.charge(request, estimate?.gas ?? 0n);
    const { fee } = charge;
    const converted = amountAfter(request, fee);
    if (converted.units <= 0n) throw tooLittle(request, fee);
    const outputOf = ({ amountOut: units }: VenueQuote) => ({ asset, decimals, units });
    const quote = await this.venues.findQuote(tokens, converted.units, caches, (found) =>
      this.hasUsualPrice({ converted, output: outputOf(found), venue: found.venue }, context),
    );
    if (!quote) throw tooLittle(request, fee);
    const output = outputOf(quote);
    this.checkPriceImpact({ converted, output, venue: quote.venue }, context);
    const facts = this.gasFacts(request, quote.gas, charge);
    return { networkFee: fee, businessFees: shares, venue: quote.venue, output, ...facts };
  }

  private checkPriceImpact(conversion: PricedConversion, context: QuotingContext): void {
    const issue = this.priceImpactOf(conversion, context, context.allowsPriceImpact);
    if (issue) throw new RouteFailure([conversion.venue], [issue]);
  }

  /** Whether one node's word is enough for a price, also where the request allows any loss. */
  private hasUsualPrice(conversion: PricedConversion, context: QuotingContext): boolean {
    return this.priceImpactOf(conversion, context, false) === null;
  }

  private priceImpactOf(
    conversion: PricedConversion,
    { input, prices }: QuotingContext,
    allowsLoss: boolean,
  ): AmountIssue | null {
    const maxBps = this.config.maxPriceImpactBps;
    return priceImpactIssue({ ...conversion, input, maxBps, allowsLoss, prices });
  }

  private async charge(
    { leg, input, receivers, context }: Omit<LegRequest, 'chain' | 'shares'>,
    conversion: bigint | null,
  ): Promise<Charge> {
    const parts = { conversion, businessFees: receivers.length };
    const cost = await this.networkFees.costOf(leg, parts, context);
    return { fee: equalValue(cost, input, context.prices, 'up'), gasCost: cost.units };
  }

  private gasFacts(
    { leg, receivers, context }: Omit<LegRequest, 'chain' | 'shares'>,
    conversion: bigint | null,
    { gasCost }: Charge,
  ): GasFacts {
    const parts = { conversion, businessFees: receivers.length };
    const gas = this.networkFees.gasOf(leg, parts);
    const paid = { gas: this.networkFees.wholeGasOf(leg, parts, context), gasCost };
    const actions = customActionsOf(leg, context);
    if (actions === null) return { ...paid, gasLimit: legGasLimit(gas) };
    const custom = quotedActions(actions, leg, context.assets);
    return { ...paid, gasLimit: customGasLimit(gas, actions), custom };
  }
}

function chainTimedOut(chain: Chain, cause: TimeoutError): ChainUnavailableFailure {
  const message = `${chain.name} timed out.`;
  return new ChainUnavailableFailure([chain.name], [{ kind: 'other', message }], { cause });
}

/** Amount that the fees leave; may be negative. */
const amountAfter = ({ input, shares }: LegRequest, networkFee: bigint): TokenAmount => ({
  ...input,
  units: input.units - feesOf({ networkFee, businessFees: shares }),
});

const tooLittle = (request: LegRequest, fee: bigint): TooLittleFailure =>
  new TooLittleFailure(
    ...([request.chain.name, request.context.input, request.input] as const),
    amountAfter(request, fee).units,
  );

function outputTooHigh(chain: Chain, output: TokenAmount, context: QuotingContext): RouteFailure {
  const { symbol } = requireToken(context, output.asset);
  const amount = formatAmount(output.units, output.decimals);
  const because = `but no venue of ${chain.name} pays out ${amount} ${symbol}.`;
  const issue = amountIssue(context.input, { source: chain.name, reason: 'TOO_HIGH', because });
  return new RouteFailure([chain.name], [issue]);
}

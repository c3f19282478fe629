import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import { withTimeout } from '@bascule/process';
import { BridgeRefusedError, type BridgeQuote } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import type { QuotedBridge, TokenAmount } from '../routes/quoted-route.js';
import { requireToken, type QuotingContext } from '../routes/quoting-context.js';
import { RouteFailure } from '../routes/route-failure.js';
import type { Deductions } from '../routes/revenue-share.js';
import type { BridgeLane } from '../routes/route.js';
import { bridgeInputLimits, type OfferedTransfer } from './bridge-limits.js';
import { bridgeQuoteIssue, priceImpactIssue } from './price-checks.js';
import { refusedByBridge, unavailableBridge } from './source-failure.js';
import { BRIDGES, type Bridges } from './source-registry.js';

export interface BridgeTransfer {
  lane: BridgeLane;
  origin: Chain;
  destination: Chain;
  /** Amount that reaches the leg. */
  legInput: TokenAmount;
  sent: TokenAmount;
  /** Minimum that the leg declares as its output. */
  minSent: bigint;
  /** Deductions of the leg, in its input token. */
  deducted: Deductions;
}

const offered = (
  { legInput, sent, minSent, deducted }: BridgeTransfer,
  context: QuotingContext,
): OfferedTransfer => {
  const { symbol } = requireToken(context, sent.asset);
  const { input, prices } = context;
  return { input, legInput, sent, minSent, symbol, deducted, prices };
};

/** Quotes the delivery of a bridge. */
@Injectable()
export class BridgeQuoterService {
  constructor(
    @Inject(BRIDGES) private readonly bridges: Bridges,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly metrics: QuoteMetricsService,
  ) {}

  /** Gas that the bridge adds to a leg's transaction. */
  gasOf({ bridge }: BridgeLane): bigint {
    return this.bridge(bridge).gas;
  }

  /** @throws RouteFailure, MissingPriceError */
  async quote(transfer: BridgeTransfer, context: QuotingContext): Promise<QuotedBridge> {
    const { lane, sent } = transfer;
    const [quote, minQuote] = await this.requestBoth(transfer, context);
    const { decimals } = requireToken(context, lane.outputToken);
    const delivered = { asset: lane.outputToken, decimals, units: quote.delivered };
    const { prices, input } = context;
    const implausible = bridgeQuoteIssue({ quote, sent, delivered, prices });
    if (implausible) throw new RouteFailure([lane.bridge], [implausible]);
    const issue = priceImpactIssue({
      ...{ input, converted: sent, output: delivered, venue: lane.bridge, prices },
      maxBps: this.config.maxPriceImpactBps,
      allowsLoss: context.allowsPriceImpact,
    });
    if (issue) throw new RouteFailure([lane.bridge], [issue]);
    const { adapter, latencySeconds } = quote;
    return {
      ...{ name: lane.bridge, adapter, delivered, latencySeconds },
      minDelivered: minQuote.delivered,
      limits: bridgeInputLimits(quote.limits ?? {}, offered(transfer, context)),
    };
  }

  /** Quotes the expected and the minimum amount; one request where they are equal. */
  private requestBoth(
    transfer: BridgeTransfer,
    context: QuotingContext,
  ): Promise<readonly [BridgeQuote, BridgeQuote]> {
    const { sent, minSent } = transfer;
    const quote = this.request(transfer, sent.units, context);
    const minQuote = minSent === sent.units ? quote : this.request(transfer, minSent, context);
    return Promise.all([quote, minQuote]);
  }

  private async request(
    transfer: BridgeTransfer,
    amount: bigint,
    context: QuotingContext,
  ): Promise<BridgeQuote> {
    const { lane, origin, destination } = transfer;
    const bridge = this.bridge(lane.bridge);
    const request = {
      origin,
      destination,
      inputToken: parseTokenIdentifier(lane.inputToken).address,
      outputToken: parseTokenIdentifier(lane.outputToken).address,
      amount,
    };
    const question = [lane.bridge, lane.inputToken, lane.outputToken, amount];
    try {
      return await context.caches.bridges.get(question, () =>
        this.metrics.timeRequest(lane.bridge, 'quote', () =>
          withTimeout(this.config.providerTimeoutMs, (signal) => bridge.quote(request, { signal })),
        ),
      );
    } catch (error) {
      if (!(error instanceof BridgeRefusedError)) throw unavailableBridge(lane.bridge, error);
      throw refusedByBridge(error, offered(transfer, context));
    }
  }

  private bridge(name: string) {
    const bridge = this.bridges.get(name);
    if (!bridge) throw new Error(`the bridge ${name} is not configured`);
    return bridge;
  }
}

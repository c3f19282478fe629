import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import { BridgeRefusedError, type BridgeQuote } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { priceImpactIssue } from '../price-impact.js';
import type { QuotedBridge, TokenAmount } from '../../routes/quoted-route.js';
import { QuoteMetricsService } from '../../metrics/quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../../config/quote-config.js';
import { withTimeout } from '@bascule/process';
import { tokenIn, type QuotingContext } from '../../routes/quoting-context.js';
import { RouteFailure } from '../../routes/route-failure.js';
import type { BridgeLane } from '../../routes/route.js';
import { refusedByBridge, unavailableBridge } from './bridge-failure.js';
import { BRIDGES, type Bridges } from './bridges.js';
import { implausibleQuote } from './plausible-quote.js';

export interface Crossing {
  lane: BridgeLane;
  origin: Chain;
  destination: Chain;
  sent: TokenAmount;
  /** As the leg's minimum allows. */
  leastSent: bigint;
  /** What the leg takes before. */
  networkFee: bigint;
}

/** Asks a bridge what would arrive. */
@Injectable()
export class BridgeQuoterService {
  constructor(
    @Inject(BRIDGES) private readonly bridges: Bridges,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly metrics: QuoteMetricsService,
  ) {}

  /** The bridge's part of the transaction that hands it tokens. */
  gasOf({ bridge }: BridgeLane): bigint {
    return this.bridge(bridge).gas;
  }

  /** @throws RouteFailure, MissingPriceError */
  async carry(crossing: Crossing, context: QuotingContext): Promise<QuotedBridge> {
    const { lane, sent } = crossing;
    const [quote, least] = await this.askBoth(crossing, context);
    const { decimals } = tokenIn(context, lane.outputToken);
    const delivered = { asset: lane.outputToken, decimals, units: quote.delivered };
    const { prices, input } = context;
    const implausible = implausibleQuote({ quote, sent, delivered, prices });
    if (implausible) throw new RouteFailure([lane.bridge], [implausible]);
    if (!context.anyPriceImpact) {
      const maxBps = this.config.maxPriceImpactBps;
      const venue = lane.bridge;
      const issue = priceImpactIssue({
        ...{ input, converted: sent, output: delivered },
        ...{ venue, maxBps, prices },
      });
      if (issue) throw new RouteFailure([lane.bridge], [issue]);
    }
    const { adapter, latencySeconds } = quote;
    return {
      ...{ name: lane.bridge, adapter, delivered, latencySeconds },
      leastDelivered: least.delivered,
    };
  }

  /** For what is sent, and for the least that may be. */
  private askBoth(
    crossing: Crossing,
    context: QuotingContext,
  ): Promise<readonly [BridgeQuote, BridgeQuote]> {
    const { sent, leastSent } = crossing;
    const quote = this.ask(crossing, context);
    const least =
      leastSent === sent.units
        ? quote
        : this.ask({ ...crossing, sent: { ...sent, units: leastSent } }, context);
    return Promise.all([quote, least]);
  }

  private async ask(crossing: Crossing, { input }: QuotingContext): Promise<BridgeQuote> {
    const { lane, origin, destination, sent, networkFee } = crossing;
    const bridge = this.bridge(lane.bridge);
    const request = {
      origin,
      destination,
      inputToken: parseTokenIdentifier(lane.inputToken).address,
      outputToken: parseTokenIdentifier(lane.outputToken).address,
      amount: sent.units,
    };
    try {
      return await this.metrics.timed(lane.bridge, 'quote', () =>
        withTimeout(this.config.providerTimeoutMs, (signal) => bridge.quote(request, { signal })),
      );
    } catch (error) {
      if (!(error instanceof BridgeRefusedError)) throw unavailableBridge(lane.bridge, error);
      throw refusedByBridge(error, { input, sent, networkFee });
    }
  }

  private bridge(name: string) {
    const bridge = this.bridges.get(name);
    if (!bridge) throw new Error(`the bridge ${name} is not configured`);
    return bridge;
  }
}

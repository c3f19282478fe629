import type { Decimal } from '@bascule/amounts';
import type { Chain } from '@bascule/chain';
import { CircuitBreaker } from '@bascule/json-client';
import type { ListedToken } from '../assets/listed-assets.js';
import { ChainFeedsAdapter } from './feeds/chain-feeds.adapter.js';
import { PoolPricesAdapter, type PoolPolicy } from './pools/pool-prices.adapter.js';
import { isWithin } from '../prices/combined-price.js';
import type {
  Observation,
  PricedAssets,
  PriceSource,
  SourceQuote,
} from '../prices/price-source.js';
import { AgreedBlockClient } from './agreed-block.client.js';

/** Long enough for two attempts at nodes of which all hang. */
const TIMEOUT_MS = 45_000;

/** Time for which a price of two nodes shows whether one of them alone can be believed. */
const LONE_TRUST_MS = 3_600_000;

interface AgreedPrice {
  usd: Decimal;
  at: Date;
}

/** Prices from one chain: its price feeds and, where enabled, its pools. */
export class OnchainPricesAdapter implements PriceSource {
  readonly name: string;
  private readonly feeds: ChainFeedsAdapter;
  private readonly pools: PoolPricesAdapter | undefined;
  private readonly circuit: CircuitBreaker;
  /** Last price of each source and asset that two nodes, or the only one, gave. */
  private readonly lastAgreed = new Map<string, AgreedPrice>();

  constructor(
    private readonly chain: Chain,
    private readonly toleranceBps: number,
    pools: PoolPolicy | undefined,
  ) {
    this.name = `chain:${chain.name}`;
    this.circuit = new CircuitBreaker({ peer: this.name, timeoutMs: TIMEOUT_MS });
    this.feeds = new ChainFeedsAdapter(chain);
    this.pools = pools && new PoolPricesAdapter(chain, pools);
  }

  get isCircuitOpen(): boolean {
    return this.circuit.isOpen;
  }

  observe(now: Date, assets: PricedAssets): Promise<Observation> {
    const tokens = assets.tokens.filter(({ chain }) => chain === this.chain.name);
    return this.circuit.run(() => this.read(now, tokens));
  }

  private async read(now: Date, tokens: readonly ListedToken[]): Promise<Observation> {
    const block = await AgreedBlockClient.latest(this.chain);
    const ofFeeds = await this.feeds.read(block, now, tokens);
    const observation = this.agreed(block, now, ofFeeds);
    if (!this.pools) return observation;
    const { quotes, errors } = observation;
    const known = new Map(quotes.map(({ asset, usd }) => [asset, usd]));
    try {
      const ofPools = await this.pools.read(block, now, tokens, known);
      const agreed = this.agreed(block, now, { quotes: ofPools, errors: [] });
      return {
        ...observation,
        quotes: [...quotes, ...agreed.quotes],
        errors: [...errors, ...agreed.errors],
      };
    } catch (error) {
      return { ...observation, errors: [...errors, error] };
    }
  }

  /**
   * Keeps all that two nodes say; of one alone, the quotes near the last ones of two, which it cannot retract. Its own
   * quotes do not make those newer.
   */
  private agreed(block: AgreedBlockClient, now: Date, observation: Observation): Observation {
    const keyOf = ({ source, asset }: SourceQuote): string => `${source} ${asset}`;
    if (!block.isLone) {
      for (const quote of observation.quotes) {
        this.lastAgreed.set(keyOf(quote), { usd: quote.usd, at: now });
      }
      return observation;
    }
    const isNear = (quote: SourceQuote): boolean => {
      const last = this.lastAgreed.get(keyOf(quote));
      if (last === undefined || now.getTime() - last.at.getTime() > LONE_TRUST_MS) return false;
      return isWithin(this.toleranceBps, last.usd, quote.usd);
    };
    const [near, far] = [
      observation.quotes.filter(isNear),
      observation.quotes.filter((quote) => !isNear(quote)),
    ];
    const errors = far.map(
      ({ asset }) =>
        new Error(`one node of ${this.chain.name} alone quotes ${asset} far from its last price`),
    );
    return { quotes: near, errors: [...observation.errors, ...errors] };
  }
}

import type { Chain } from '@bascule/chain';
import { CircuitBreaker } from '@bascule/json-client';
import type { ListedToken } from '../assets/listed-assets.js';
import { ChainFeedsAdapter } from './feeds/chain-feeds.adapter.js';
import { PoolPricesAdapter, type PoolPolicy } from './pools/pool-prices.adapter.js';
import type { Observation, PricedAssets, PriceSource } from '../prices/price-source.js';

/** Long enough for two attempts at a hanging endpoint before the chain's next one is called. */
const TIMEOUT_MS = 45_000;

/** Prices from one chain: its price feeds and, where enabled, its pools. */
export class OnchainPricesAdapter implements PriceSource {
  readonly name: string;
  private readonly feeds: ChainFeedsAdapter;
  private readonly pools: PoolPricesAdapter | undefined;
  private readonly circuit: CircuitBreaker;

  constructor(
    private readonly chain: Chain,
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
    const observation = await this.feeds.read(now, tokens);
    if (!this.pools) return observation;
    const { quotes, errors } = observation;
    const known = new Map(quotes.map(({ asset, usd }) => [asset, usd]));
    try {
      const ofPools = await this.pools.read(now, tokens, known);
      return { ...observation, quotes: [...quotes, ...ofPools] };
    } catch (error) {
      return { ...observation, errors: [...errors, error] };
    }
  }
}

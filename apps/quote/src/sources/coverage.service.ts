import { Chains } from '@bascule/chain';
import type { TokenIdentifier } from '@bascule/contracts';
import { ServiceContext, withTimeout } from '@bascule/process';
import { agreedPairs, type Venue } from '@bascule/venues';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CatalogueCacheService } from '../catalogue/catalogue-cache.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import type { KnownAssets } from '../routes/known-asset.js';
import { RouteFailure } from '../routes/route-failure.js';
import type { BridgeLane, Ramp } from '../routes/route.js';
import { CoverageCache, type CachedCoverage, type Coverage } from './coverage-cache.js';
import {
  addressesOf,
  conversionsOf,
  isOversized,
  lanesOf,
  rampsOf,
  tokensByChain,
  type ConversionCoverage,
  type TokensByChain,
} from './coverage-edges.js';
import { GasPricesService } from './gas-prices.service.js';
import { onrampFailure, oversizedCoverage, unavailableBridge } from './source-failure.js';
import {
  BRIDGES,
  ONRAMP_PROVIDERS,
  VENUES,
  type Bridges,
  type OnrampProviders,
} from './source-registry.js';

const NO_TOKENS: readonly TokenIdentifier[] = [];

const sameTokens = (a: readonly TokenIdentifier[], b: readonly TokenIdentifier[]): boolean =>
  a === b || a.join() === b.join();

export interface CoverageRequest {
  onramps: readonly string[];
  /** Whether the route may need a bridge. */
  bridges: boolean;
  chains: readonly string[];
}

export interface SourceCoverage {
  onramps: Coverage<readonly Ramp[]>;
  bridges: Coverage<readonly BridgeLane[]>;
  chains: Coverage<ConversionCoverage>;
}

export interface CachedSourceCoverage {
  onramps: CachedCoverage<readonly Ramp[]>;
  bridges: CachedCoverage<readonly BridgeLane[]>;
  chains: CachedCoverage<ConversionCoverage>;
}

/** Coverage of all sources: tokens sold by onramps, lanes of bridges, conversions on chains. */
@Injectable()
export class CoverageService implements OnApplicationBootstrap {
  private readonly onramps: CoverageCache<readonly Ramp[]>;
  private readonly bridges: CoverageCache<readonly BridgeLane[]>;
  private readonly chainCoverage: CoverageCache<ConversionCoverage>;
  private assets: KnownAssets | undefined;
  private tokens: TokensByChain = new Map();

  constructor(
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(BRIDGES) private readonly configuredBridges: Bridges,
    @Inject(VENUES) private readonly venues: readonly Venue[],
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly chains: Chains,
    private readonly gasPrices: GasPricesService,
    private readonly catalogue: CatalogueCacheService,
    private readonly context: ServiceContext,
    private readonly metrics: QuoteMetricsService,
  ) {
    this.onramps = new CoverageCache({
      sources: [...providers.keys()],
      fetch: (name) => this.fetchRamps(name),
      toFailure: onrampFailure,
      ttlMs: config.coverageTtlMs,
    });
    this.bridges = new CoverageCache({
      sources: [...configuredBridges.keys()],
      fetch: (name) => this.fetchLanes(name),
      toFailure: unavailableBridge,
      ttlMs: config.coverageTtlMs,
    });
    this.chainCoverage = new CoverageCache({
      sources: chains.all().map(({ name }) => name),
      fetch: (name) => this.fetchConversions(name),
      toFailure: (chain, cause) => this.toChainFailure(chain, cause),
      ttlMs: config.conversionsTtlMs,
      isOutdated: (chain, { tokens }) => !sameTokens(tokens, this.tokensOn(chain)),
    });
  }

  onApplicationBootstrap(): void {
    this.warmUp(this.onramps, this.providers.keys());
    this.warmUp(this.bridges, this.configuredBridges.keys());
  }

  /** Returns all coverage, after waiting for the requested sources whose coverage is missing or too old. */
  async get(request: CoverageRequest): Promise<SourceCoverage> {
    await this.readTokens();
    const [onramps, bridges, chains] = await Promise.all([
      this.onramps.get(request.onramps.filter((name) => this.providers.has(name))),
      this.bridges.get(request.bridges ? [...this.configuredBridges.keys()] : []),
      this.chainCoverage.get(request.chains.filter((name) => this.chains.find(name))),
    ]);
    return { onramps, bridges, chains };
  }

  /** Returns the coverage of available sources without waiting for sources that failed. */
  async getCached(): Promise<CachedSourceCoverage> {
    await this.readTokens();
    const [onramps, bridges, chains] = await Promise.all([
      this.onramps.getCached(),
      this.bridges.getCached(),
      this.chainCoverage.getCached(),
    ]);
    return { onramps, bridges, chains };
  }

  /** Re-checks a chain after another request to it failed. */
  recheckChain(chain: string): void {
    this.chainCoverage.recheck(chain);
  }

  private warmUp<T>(cache: CoverageCache<T>, sources: Iterable<string>): void {
    for (const source of sources) {
      cache.refresh(source).catch((error: unknown) => {
        this.context.logger.warn({ err: error, source }, 'fetching coverage failed');
      });
    }
  }

  private async readTokens(): Promise<void> {
    const { assets } = await this.catalogue.listedAssets();
    if (this.assets === assets) return;
    this.assets = assets;
    this.tokens = tokensByChain(assets, this.tokens);
  }

  private readonly tokensOn = (chain: string): readonly TokenIdentifier[] =>
    this.tokens.get(chain) ?? NO_TOKENS;

  private async fetchRamps(name: string): Promise<readonly Ramp[]> {
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`the provider ${name} is not configured`);
    const coverage = await this.metrics.timeRequest(name, 'coverage', () =>
      withTimeout(this.config.providerTimeoutMs, (signal) => provider.coverage(signal)),
    );
    if (isOversized(coverage)) throw oversizedCoverage(name);
    return rampsOf(name, coverage);
  }

  private async fetchLanes(name: string): Promise<readonly BridgeLane[]> {
    const bridge = this.configuredBridges.get(name);
    if (!bridge) throw new Error(`the bridge ${name} is not configured`);
    const routes = await this.metrics.timeRequest(name, 'coverage', () =>
      withTimeout(this.config.providerTimeoutMs, (signal) => bridge.routes({ signal })),
    );
    return lanesOf(name, routes);
  }

  /** Includes the gas price: every quote needs it, and a chain without venues would otherwise get no request. */
  private async fetchConversions(name: string): Promise<ConversionCoverage> {
    const chain = this.chains.get(name);
    const tokens = this.tokensOn(name);
    const [pairs] = await withTimeout(this.config.chainTimeoutMs, () =>
      Promise.all([
        Promise.all(this.venues.map((venue) => agreedPairs(venue, chain, addressesOf(tokens)))),
        this.gasPrices.of(chain),
      ]),
    );
    const conversions = this.venues.flatMap(({ name: venue }, index) =>
      conversionsOf(name, pairs[index] ?? []).map((conversion) => ({ ...conversion, venue })),
    );
    return { chain: name, tokens, conversions };
  }

  private toChainFailure(chain: string, cause: unknown): RouteFailure {
    this.context.logger.warn({ err: cause, chain }, 'fetching conversions failed');
    const message = `Could not read the conversions of ${chain}.`;
    return new RouteFailure([chain], [{ kind: 'other', message }], { cause });
  }
}

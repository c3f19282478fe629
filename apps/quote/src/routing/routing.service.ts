import { Chains } from '@bascule/chain';
import { pausedOf } from '@bascule/contracts';
import { SwitchesService } from '@bascule/switches';
import type { Venue } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import {
  CatalogueCacheService,
  type PricedSnapshot,
} from '../catalogue/catalogue-cache.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import type { Requester } from '../routes/edge-rules.js';
import type { KnownAssets } from '../routes/known-asset.js';
import { pausedFailures, withoutPaused } from '../routes/paused-edges.js';
import { chainNameOf } from '../routes/route.js';
import type { TimedFailure } from '../routes/route-failure.js';
import type { RoutingGraph, RoutingInput } from '../routes/routing-graph.js';
import { CoverageService, type CachedSourceCoverage } from '../sources/coverage.service.js';
import { KeyScopesService } from '../sources/key-scopes.service.js';
import { BRIDGES, VENUES, type Bridges } from '../sources/source-registry.js';
import { quotableInput, type Availability } from './availability.js';
import { GraphCache, type CachedGraph } from './graph-cache.js';

export interface Routing {
  graph: RoutingGraph;
  assets: KnownAssets;
  availability: Availability;
  /** Failures of relevant providers, bridges and chains without coverage. */
  failures: readonly TimedFailure[];
}

/** Ends of a requested route, and the chains that it has to pass through. */
export interface Journey {
  from: string;
  to: string;
  hops: readonly string[];
}

/** Provides routing graphs, rebuilt when the catalogue or the coverage of a source changes. */
@Injectable()
export class RoutingService {
  private readonly quoteGraphs: GraphCache;
  private readonly discoveryGraphs: GraphCache;
  private readonly configuredChains: ReadonlySet<string>;

  constructor(
    private readonly catalogue: CatalogueCacheService,
    private readonly coverage: CoverageService,
    private readonly switches: SwitchesService,
    @Inject(BRIDGES) private readonly bridges: Bridges,
    @Inject(VENUES) private readonly venues: readonly Venue[],
    @Inject(QUOTE_CONFIG) { edgeRules }: QuoteConfig,
    chains: Chains,
    keyScopes: KeyScopesService,
    metrics: QuoteMetricsService,
  ) {
    this.configuredChains = new Set(chains.all().map(({ name }) => name));
    this.quoteGraphs = new GraphCache(edgeRules, keyScopes, () => metrics.countGraph('quotes'));
    this.discoveryGraphs = new GraphCache(edgeRules, keyScopes, () =>
      metrics.countGraph('discovery'),
    );
  }

  /**
   * Refreshes only the coverage that routes between the two assets may need: `providers` for fiat, bridges where the
   * chains differ, conversions of the chains at both ends and between them.
   */
  async graphForQuotes(
    { from, to, hops }: Journey,
    providers: readonly string[],
    requester: Requester,
  ): Promise<Routing> {
    const [origin, destination] = [chainNameOf(from), chainNameOf(to)];
    const way = [origin ?? [], hops, destination ?? []].flat();
    const switches = await this.switches.current();
    const needed = {
      provider: origin === undefined ? providers : [],
      bridge: origin !== destination || hops.length > 0 ? [...this.bridges.keys()] : [],
      chain: [...new Set(way)],
      venue: from === to ? [] : this.venues.map(({ name }) => name),
    };
    const [{ assets }, priced, coverage] = await Promise.all([
      this.catalogue.listedAssets(),
      this.catalogue.pricedAssets(),
      this.coverage.get({
        onramps: without(needed.provider, pausedOf(switches, 'provider')),
        bridges: needed.bridge.length > 0,
        chains: from === to ? [] : without(needed.chain, pausedOf(switches, 'chain')),
      }),
    ]);
    const { onramps, bridges, chains } = coverage;
    const { graph } = this.quoteGraphs.get(
      requester,
      [...partsOf(assets, coverage), switches],
      () => withoutPaused(switches, this.input(assets, coverage)),
    );
    const crosses = way.every((chain, i) => i === 0 || graph.crosses(way[i - 1] ?? '', chain));
    const mayConvert = origin === undefined || origin === destination || crosses;
    const failures = [
      ...pausedFailures(switches, needed),
      ...onramps.failures,
      ...bridges.failures,
      ...(mayConvert ? chains.failures : []),
    ];
    return { graph, assets, availability: availabilityOf(priced, coverage), failures };
  }

  /** Returns the graph of quotable edges from memory; waits only for sources that have not failed. */
  async graphForDiscovery(requester: Requester): Promise<CachedGraph> {
    const [{ assets }, priced, coverage, switches] = await Promise.all([
      this.catalogue.listedAssets(),
      this.catalogue.pricedAssets(),
      this.coverage.getCached(),
      this.switches.current(),
    ]);
    const parts = [...partsOf(assets, coverage), priced, switches];
    return this.discoveryGraphs.get(requester, parts, () =>
      withoutPaused(
        switches,
        quotableInput(this.input(assets, coverage), availabilityOf(priced, coverage)),
      ),
    );
  }

  private input(
    assets: KnownAssets,
    { onramps, bridges, chains }: CachedSourceCoverage,
  ): RoutingInput {
    return {
      tokens: [...assets.values()].flatMap((asset) =>
        asset.kind === 'token' && this.configuredChains.has(asset.chain)
          ? [{ id: asset.id, chain: asset.chain }]
          : [],
      ),
      ramps: onramps.entries.flat(),
      lanes: bridges.entries.flat(),
      conversions: chains.entries.flatMap(({ conversions }) => conversions),
    };
  }
}

const without = (names: readonly string[], paused: ReadonlySet<string>): string[] =>
  names.filter((name) => !paused.has(name));

const availabilityOf = (
  { assets }: PricedSnapshot,
  { chains, bridges }: CachedSourceCoverage,
): Availability => ({
  pricedAssets: assets,
  chains: chains.availableSources,
  bridges: bridges.availableSources,
});

const partsOf = (
  assets: KnownAssets,
  { onramps, bridges, chains }: CachedSourceCoverage,
): unknown[] => [assets, onramps.entries, bridges.entries, chains.entries];

import { Chains } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import { OnrampCoverageService } from '../onramps/onramp-coverage.service.js';
import type { TimedFailure } from '../quotes/route-failure.js';
import { AssetBook } from './asset-book.service.js';
import type { KnownAssets } from './known-asset.js';
import { RoutingGraph, type Ramp } from './routing-graph.js';

export interface Routing {
  graph: RoutingGraph;
  assets: KnownAssets;
  /** Of providers whose ramps are unknown. */
  failures: readonly TimedFailure[];
}

/** The current graph: rebuilt when the catalogue or what providers sell has changed. */
@Injectable()
export class RoutingService {
  private built: { revision: string; graph: RoutingGraph } | undefined;

  constructor(
    private readonly book: AssetBook,
    private readonly coverage: OnrampCoverageService,
    private readonly chains: Chains,
  ) {}

  /** `providers` are those whose ramps matter now: the others are not asked what they sell. */
  async current(providers: readonly string[]): Promise<Routing> {
    const [{ assets, revision }, coverage] = await Promise.all([
      this.book.current(),
      this.coverage.current(providers),
    ]);
    const key = `${revision}|${coverage.revision}`;
    if (this.built?.revision !== key) {
      this.built = { revision: key, graph: this.build(assets, coverage.ramps) };
    }
    return { graph: this.built.graph, assets, failures: coverage.failures };
  }

  private build(assets: KnownAssets, ramps: readonly Ramp[]): RoutingGraph {
    const configured = new Map(this.chains.all().map((chain) => [chain.name, chain.definition]));
    return new RoutingGraph({
      tokens: [...assets.values()].flatMap((asset) =>
        asset.kind === 'token' && configured.has(asset.chain)
          ? [{ id: asset.id, chain: asset.chain }]
          : [],
      ),
      ramps,
      convertingChains: new Set(configured.keys()),
    });
  }
}

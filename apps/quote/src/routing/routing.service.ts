import { Chains } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import { BridgeCoverageService } from '../bridges/bridge-coverage.service.js';
import { OnrampCoverageService } from '../onramps/onramp-coverage.service.js';
import type { TimedFailure } from '../quotes/route-failure.js';
import { AssetBook } from './asset-book.service.js';
import type { KnownAssets } from './known-asset.js';
import type { BridgeLane, Ramp } from './route.js';
import { RoutingGraph } from './routing-graph.js';

export interface Routing {
  graph: RoutingGraph;
  assets: KnownAssets;
  /** Of providers whose ramps, and of bridges whose lanes, are unknown. */
  failures: readonly TimedFailure[];
}

const chainOf = (asset: string): string | undefined => asset.split(':').at(-2);

/** The current graph: rebuilt when the catalogue, what providers sell or what bridges carry has changed. */
@Injectable()
export class RoutingService {
  private built: { revision: string; graph: RoutingGraph } | undefined;

  constructor(
    private readonly book: AssetBook,
    private readonly onramps: OnrampCoverageService,
    private readonly bridges: BridgeCoverageService,
    private readonly chains: Chains,
  ) {}

  /**
   * Only those are asked again what they sell or carry who matter for a way from the one asset to the other:
   * `providers` for fiat, bridges where it may lead to another chain.
   */
  async current(from: string, to: string, providers: readonly string[]): Promise<Routing> {
    const isFiat = chainOf(from) === undefined;
    const [{ assets, revision }, onramps, bridges] = await Promise.all([
      this.book.current(),
      this.onramps.current(isFiat ? providers : []),
      this.bridges.current(chainOf(from) !== chainOf(to)),
    ]);
    const key = `${revision}|${onramps.revision}|${bridges.revision}`;
    if (this.built?.revision !== key) {
      this.built = { revision: key, graph: this.build(assets, onramps.ramps, bridges.lanes) };
    }
    const failures = [...onramps.failures, ...bridges.failures];
    return { graph: this.built.graph, assets, failures };
  }

  private build(
    assets: KnownAssets,
    ramps: readonly Ramp[],
    lanes: readonly BridgeLane[],
  ): RoutingGraph {
    const configured = new Map(this.chains.all().map((chain) => [chain.name, chain.definition]));
    return new RoutingGraph({
      tokens: [...assets.values()].flatMap((asset) =>
        asset.kind === 'token' && configured.has(asset.chain)
          ? [{ id: asset.id, chain: asset.chain }]
          : [],
      ),
      ramps,
      lanes,
      convertingChains: new Set(configured.keys()),
    });
  }
}

import { Chains } from '@bascule/chain';
import { Inject, Injectable } from '@nestjs/common';
import { BridgeCoverageService } from '../sources/bridges/bridge-coverage.service.js';
import { ConversionCoverageService } from '../sources/conversions/conversion-coverage.service.js';
import type { ConversionAnswer } from '../sources/conversions/conversions-of.js';
import { OnrampCoverageService } from '../sources/onramps/onramp-coverage.service.js';
import { PricedAssetsService, type PricedSnapshot } from '../catalogue/priced-assets.service.js';
import { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote-config.js';
import type { TimedFailure } from '../routes/route-failure.js';
import { answerable, type Answering } from './answerable.js';
import { AssetBookService } from '../catalogue/asset-book.service.js';
import type { Traveller } from '../routes/edge-rules.js';
import { Graphs, type BuiltGraph } from './graphs.js';
import type { KnownAssets } from '../routes/known-asset.js';
import type { BridgeLane, Ramp } from '../routes/route.js';
import type { RoutingGraph, RoutingInput } from '../routes/routing-graph.js';

export interface Routing {
  graph: RoutingGraph;
  assets: KnownAssets;
  /** What routes of discovery keep to. */
  answering: Answering;
  /** Of providers whose ramps, bridges whose lanes, and chains whose conversions are unknown. */
  failures: readonly TimedFailure[];
}

/** Whatever is the same object is unchanged. */
interface Parts {
  assets: KnownAssets;
  onramps: readonly (readonly Ramp[])[];
  bridges: readonly (readonly BridgeLane[])[];
  conversions: readonly ConversionAnswer[];
}

const chainOf = (asset: string): string | undefined => asset.split(':').at(-2);

/** The current graphs: made again when the catalogue, or what providers sell, venues convert or bridges carry, has changed. */
@Injectable()
export class RoutingService {
  private readonly graphs: Graphs;
  private readonly answerableGraphs: Graphs;
  private readonly configured: ReadonlySet<string>;

  constructor(
    private readonly book: AssetBookService,
    private readonly onramps: OnrampCoverageService,
    private readonly bridges: BridgeCoverageService,
    private readonly conversions: ConversionCoverageService,
    private readonly priced: PricedAssetsService,
    @Inject(QUOTE_CONFIG) { edgeRules }: QuoteConfig,
    chains: Chains,
    metrics: QuoteMetricsService,
  ) {
    this.configured = new Set(chains.all().map(({ name }) => name));
    this.graphs = new Graphs(edgeRules, () => metrics.graphBuilt('quotes'));
    this.answerableGraphs = new Graphs(edgeRules, () => metrics.graphBuilt('discovery'));
  }

  /**
   * Only those are asked again what they sell, carry or convert who matter for a way from the one asset to the other:
   * `providers` for fiat, bridges where it may lead to another chain, the chains at its ends.
   */
  async current(
    from: string,
    to: string,
    providers: readonly string[],
    traveller: Traveller,
  ): Promise<Routing> {
    const [origin, destination] = [chainOf(from), chainOf(to)];
    const ends = from === to ? [] : [...new Set([origin ?? [], destination ?? []].flat())];
    const [{ assets }, priced, onramps, bridges, conversions] = await Promise.all([
      this.book.current(),
      this.priced.current(),
      this.onramps.current(origin === undefined ? providers : []),
      this.bridges.current(origin !== destination),
      this.conversions.current(ends),
    ]);
    const parts = {
      assets,
      onramps: onramps.answers,
      bridges: bridges.answers,
      conversions: conversions.answers,
    };
    const { graph } = this.graphs.of(traveller, listed(parts), () => this.input(parts));
    const mayConvert =
      origin === undefined || origin === destination || graph.crosses(origin, destination ?? '');
    const failures = [
      ...onramps.failures,
      ...bridges.failures,
      ...(mayConvert ? conversions.failures : []),
    ];
    const answering = answeringOf(priced, conversions.speaking, bridges.speaking);
    return { graph, assets, answering, failures };
  }

  /** What can be promised: the same graph, without what would fail whatever the amount. Waits for nobody who did not answer before. */
  async promised(traveller: Traveller): Promise<BuiltGraph> {
    const [{ assets }, onramps, bridges, conversions, priced] = await Promise.all([
      this.book.current(),
      this.onramps.atHand(),
      this.bridges.atHand(),
      this.conversions.atHand(),
      this.priced.current(),
    ]);
    const parts = {
      assets,
      onramps: onramps.answers,
      bridges: bridges.answers,
      conversions: conversions.answers,
    };
    return this.answerableGraphs.of(traveller, [...listed(parts), priced], () =>
      answerable(this.input(parts), answeringOf(priced, conversions.names, bridges.names)),
    );
  }

  private input({ assets, onramps, bridges, conversions }: Parts): RoutingInput {
    return {
      tokens: [...assets.values()].flatMap((asset) =>
        asset.kind === 'token' && this.configured.has(asset.chain)
          ? [{ id: asset.id, chain: asset.chain }]
          : [],
      ),
      ramps: onramps.flat(),
      lanes: bridges.flat(),
      conversions: conversions.flatMap((answer) => answer.conversions),
    };
  }
}

const answeringOf = (
  { assets }: PricedSnapshot,
  chains: ReadonlySet<string>,
  bridges: ReadonlySet<string>,
): Answering => ({ priced: assets, chains, bridges });

const listed = ({ assets, onramps, bridges, conversions }: Parts): unknown[] => [
  assets,
  onramps,
  bridges,
  conversions,
];

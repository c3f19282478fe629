import { Chains } from '@bascule/chain';
import {
  isTokenIdentifier,
  parseTokenIdentifier,
  type AssetIdentifier,
  type AvailableAssetsResponse,
} from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ORGANISATION_ANSWER, type CacheableAnswer } from '@bascule/service-host';
import { Inject, Injectable, type Type } from '@nestjs/common';
import { ONRAMP_PROVIDERS, type OnrampProviders } from '../sources/source-registry.js';
import { QUOTE_CONFIG, type AssetScope, type QuoteConfig } from '../config/quote.config.js';
import { RequestersService } from '../organisations/requesters.service.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { unknownAssets, unknownProviders } from '../requests/unknown-names.js';
import { CatalogueCacheService } from '../catalogue/catalogue-cache.service.js';
import type { RoutingGraph } from '../routes/routing-graph.js';
import { RoutingService } from '../routing/routing.service.js';
import type { AvailabilityFilter } from './available-assets.js';
import type { AvailableQueryDto } from './available-query.dto.js';

/** Offramps are not supported yet. */
const OFFRAMPS: ReadonlySet<string> = new Set();

interface ReachabilityQuery {
  name: string;
  dto: Type<AvailableQueryDto>;
  answer: (
    graph: RoutingGraph,
    filter: AvailabilityFilter,
    isShown: (asset: AssetIdentifier) => boolean,
  ) => AvailableAssetsResponse;
}

/** Lists from memory the assets that are reachable from inputs or to outputs. */
@Injectable()
export class ReachabilityService {
  private readonly onramps: ReadonlySet<string>;

  constructor(
    private readonly requests: RequestReaderService,
    private readonly routing: RoutingService,
    private readonly catalogue: CatalogueCacheService,
    private readonly chains: Chains,
    private readonly requesters: RequestersService,
    @Inject(ONRAMP_PROVIDERS) providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {
    this.onramps = new Set(providers.keys());
  }

  /** @throws ServiceError with every problem of the query */
  async answer(
    direction: ReachabilityQuery,
    query: unknown,
    caller: Caller,
  ): Promise<CacheableAnswer> {
    const { features, sandbox, ...wanted } = await this.read(direction, query);
    const built = await this.routing.graphForDiscovery(await this.requesters.of(caller, features));
    const scope = sandbox === undefined ? this.config.assetScope : sandbox ? 'sandbox' : 'live';
    const filter = {
      inputs: namesOf(wanted.inputs),
      outputs: namesOf(wanted.outputs),
      onramps: namesOf(wanted.onramps),
    };
    return {
      key: JSON.stringify([direction.name, built.accessKey, scope, filter]),
      revision: built.revision,
      cacheControl: ORGANISATION_ANSWER,
      body: () => direction.answer(built.graph, filter, (asset) => this.isShown(asset, scope)),
    };
  }

  private async read({ dto }: ReachabilityQuery, query: unknown): Promise<AvailableQueryDto> {
    const { assets } = await this.catalogue.listedAssets();
    return this.requests.read('query', dto, query, [
      ...unknownAssets(query, ['inputs'], assets),
      ...unknownAssets(query, ['outputs'], assets),
      ...unknownProviders(query, ['onramps'], this.onramps),
      ...unknownProviders(query, ['offramps'], OFFRAMPS),
    ]);
  }

  private isShown(asset: AssetIdentifier, scope: AssetScope): boolean {
    if (scope === 'all' || !isTokenIdentifier(asset)) return true;
    const chain = this.chains.find(parseTokenIdentifier(asset).chain);
    return chain?.definition.isTestnet === (scope === 'sandbox');
  }
}

const namesOf = (given: readonly string[] = []): string[] => [...new Set(given)].sort();

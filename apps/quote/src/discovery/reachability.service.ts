import { Chains } from '@bascule/chain';
import {
  isInScope,
  isTokenIdentifier,
  parseTokenIdentifier,
  requestScope,
  type AssetIdentifier,
  type AvailableAssetsResponse,
  type KeyMode,
  type RequestScope,
} from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ORGANISATION_ANSWER, type CacheableAnswer } from '@bascule/service-host';
import { Inject, Injectable, type Type } from '@nestjs/common';
import { KeyScopesService } from '../sources/key-scopes.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
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
  constructor(
    private readonly requests: RequestReaderService,
    private readonly routing: RoutingService,
    private readonly catalogue: CatalogueCacheService,
    private readonly chains: Chains,
    private readonly requesters: RequestersService,
    private readonly keyScopes: KeyScopesService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  /** @throws ServiceError with every problem of the query */
  async answer(
    direction: ReachabilityQuery,
    query: unknown,
    caller: Caller,
  ): Promise<CacheableAnswer> {
    const { features, sandbox, ...wanted } = await this.read(direction, query, caller.mode);
    const built = await this.routing.graphForDiscovery(await this.requesters.of(caller, features));
    const { assetScope: configured } = this.config;
    const scope = requestScope({ mode: caller.mode, sandbox, configured });
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

  private async read(
    { dto }: ReachabilityQuery,
    query: unknown,
    mode: KeyMode | undefined,
  ): Promise<AvailableQueryDto> {
    const listed = await this.catalogue.listedAssets();
    const assets = this.keyScopes.assetsOf(mode, listed.assets);
    const onramps = new Set(this.keyScopes.providersOf(mode).keys());
    const hint = this.keyScopes.hintOf(mode);
    return this.requests.read('query', dto, query, [
      ...unknownAssets(query, ['inputs'], assets, hint),
      ...unknownAssets(query, ['outputs'], assets, hint),
      ...unknownProviders(query, ['onramps'], onramps),
      ...unknownProviders(query, ['offramps'], OFFRAMPS),
    ]);
  }

  private isShown(asset: AssetIdentifier, scope: RequestScope): boolean {
    if (scope === 'all' || !isTokenIdentifier(asset)) return true;
    const chain = this.chains.find(parseTokenIdentifier(asset).chain);
    return chain !== undefined && isInScope(scope, chain.definition.isTestnet);
  }
}

const namesOf = (given: readonly string[] = []): string[] => [...new Set(given)].sort();

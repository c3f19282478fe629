import { Chains } from '@bascule/chain';
import { parseTokenIdentifier, isTokenIdentifier } from '@bascule/contracts';
import type { AssetIdentifier, AvailableAssetsResponse } from '@bascule/contracts';
import { ORGANISATION_ANSWER } from '@bascule/service-host';
import type { CacheableAnswer } from '@bascule/service-host';
import { Inject, Injectable, type Type } from '@nestjs/common';
import { ONRAMP_PROVIDERS, type OnrampProviders } from '../sources/onramps/onramp-providers.js';
import { QUOTE_CONFIG, type AssetScope, type QuoteConfig } from '../config/quote-config.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { unknownAssets, unknownProviders } from '../requests/unknown-names.js';
import { AssetBookService } from '../catalogue/asset-book.service.js';
import type { RoutingGraph } from '../routes/routing-graph.js';
import { RoutingService } from '../routing/routing.service.js';
import type { AvailabilityFilter } from './available-assets.js';
import type { AvailableQueryDto } from './available-query.dto.js';

/** Nothing is sold for fiat yet, so there is no offramp to name. */
const OFFRAMPS: ReadonlySet<string> = new Set();

interface Question {
  name: string;
  dto: Type<AvailableQueryDto>;
  answer: (
    graph: RoutingGraph,
    filter: AvailabilityFilter,
    isShown: (asset: AssetIdentifier) => boolean,
  ) => AvailableAssetsResponse;
}

/** What can be paid with and what can be paid for, from memory. */
@Injectable()
export class ReachabilityService {
  private readonly onramps: ReadonlySet<string>;

  constructor(
    private readonly requests: RequestReaderService,
    private readonly routing: RoutingService,
    private readonly book: AssetBookService,
    private readonly chains: Chains,
    @Inject(ONRAMP_PROVIDERS) providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {
    this.onramps = new Set(providers.keys());
  }

  /** @throws ServiceError with every problem of the query */
  async answer(question: Question, query: unknown, orgId: string): Promise<CacheableAnswer> {
    const { features = [], sandbox, ...wanted } = await this.read(question, query);
    const built = await this.routing.promised({ orgId, features });
    const scope = sandbox === undefined ? this.config.assetScope : sandbox ? 'sandbox' : 'live';
    const filter = {
      inputs: namesOf(wanted.inputs),
      outputs: namesOf(wanted.outputs),
      onramps: namesOf(wanted.onramps),
    };
    return {
      key: JSON.stringify([question.name, built.access, scope, filter]),
      revision: built.revision,
      cacheControl: ORGANISATION_ANSWER,
      body: () => question.answer(built.graph, filter, (asset) => this.isShown(asset, scope)),
    };
  }

  private async read({ dto }: Question, query: unknown): Promise<AvailableQueryDto> {
    const { assets } = await this.book.current();
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

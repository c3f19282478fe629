import { keyScope, type AssetScope, type Feature } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import type { Requester } from '../routes/edge-rules.js';
import { OrganisationRepository } from './organisation.repository.js';

const FRESH_MS = 1_000;
const CAPACITY = 1_000;

/** Access of callers to edges. Opened edges are cached, so that discovery needs no database. */
@Injectable()
export class RequestersService {
  private readonly openedEdges: LRUCache<string, readonly string[]>;
  private readonly configuredScope: AssetScope;

  constructor(
    organisations: OrganisationRepository,
    @Inject(QUOTE_CONFIG) { assetScope }: QuoteConfig,
  ) {
    this.configuredScope = assetScope;
    this.openedEdges = new LRUCache<string, readonly string[]>({
      max: CAPACITY,
      ttl: FRESH_MS,
      allowStaleOnFetchRejection: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: async (orgId): Promise<readonly string[]> =>
        (await organisations.find(orgId))?.openedEdges ?? [],
    });
  }

  /** Reads the opened edges only where a feature needs them. */
  async of(
    { orgId, methods = [], mode }: Caller,
    features: readonly Feature[] = [],
  ): Promise<Requester> {
    const needsEdges = features.some((feature) => feature !== 'BETA_EDGES');
    const openedEdges = needsEdges ? await this.openedEdges.forceFetch(orgId) : [];
    return { features, methods, openedEdges, scope: keyScope(mode, this.configuredScope) };
  }
}

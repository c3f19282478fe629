import type { Feature } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Requester } from '../routes/edge-rules.js';
import { OrganisationRepository } from './organisation.repository.js';

const FRESH_MS = 1_000;
const CAPACITY = 1_000;

/** Access of callers to restricted edges. Opened edges are cached, so that discovery needs no database. */
@Injectable()
export class RequestersService {
  private readonly openedEdges: LRUCache<string, readonly string[]>;

  constructor(organisations: OrganisationRepository) {
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
    { orgId, methods = [], mode = 'live' }: Caller,
    features: readonly Feature[] = [],
  ): Promise<Requester> {
    const needsEdges = features.some((feature) => feature !== 'BETA_EDGES');
    const openedEdges = needsEdges ? await this.openedEdges.forceFetch(orgId) : [];
    return { features, methods, openedEdges, mode };
  }
}

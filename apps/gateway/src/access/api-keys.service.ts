import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { unauthenticated, unavailable } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ApiKeysRepository } from '../persistence/api-keys.repository.js';
import { bearerKey, hashOfKey } from '../callers/api-key.js';
import type { ApiKey } from '../callers/api-key.js';

/** Lifetime of a cached key; with `max-age` of responses it stays within the 5 s that a revocation may take. */
export const KEY_TTL_MS = 2_000;
const CAPACITY = 20_000;

/** Authenticates API keys. Unknown keys are cached too, so that guessing does not reach the database. */
@Injectable()
export class ApiKeysService {
  private readonly cache: LRUCache<string, { key: ApiKey | null }>;

  constructor(
    repository: ApiKeysRepository,
    private readonly context: ServiceContext,
  ) {
    this.cache = new LRUCache({
      max: CAPACITY,
      ttl: KEY_TTL_MS,
      fetchMethod: async (hash, _stale, { options }) => {
        const startedAt = performance.now();
        const key = await repository.findUsable(hash);
        // A key is as old as its query: a revocation may commit while it runs.
        options.ttl = Math.max(1, KEY_TTL_MS - (performance.now() - startedAt));
        return { key };
      },
    });
  }

  /** @throws ServiceError `unauthenticated`; `unavailable` without the database */
  async authenticate(authorization: string | undefined): Promise<ApiKey> {
    const key = bearerKey(authorization);
    if (key === undefined)
      throw unauthenticated('Expected an API key: Authorization: Bearer <key>.');
    const found = await this.cache.forceFetch(hashOfKey(key)).catch((err: unknown) => {
      this.context.logger.error({ err }, 'API key lookup failed');
      throw unavailable('API keys cannot be checked now.');
    });
    if (found.key === null) throw unauthenticated('The API key is unknown, revoked or expired.');
    return found.key;
  }
}

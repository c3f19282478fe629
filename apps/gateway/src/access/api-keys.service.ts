import { Injectable } from '@nestjs/common';
import { bulkhead, isBulkheadRejectedError } from 'cockatiel';
import { LRUCache } from 'lru-cache';
import { unauthenticated, unavailable } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { ApiKeysRepository } from '../persistence/api-keys.repository.js';
import { bearerKey, hashOfKey } from '../callers/api-key.js';
import type { ApiKey } from '../callers/api-key.js';

/** Lifetime of a cached key; with `max-age` of responses it stays within the 5 s that a revocation may take. */
export const KEY_TTL_MS = 2_000;
export const KEY_CACHE_CAPACITY = 20_000;
/** Concurrent queries for unknown keys; the other connections are left to known keys. */
const UNKNOWN_LOOKUPS = 2;
const WAITING_LOOKUPS = 500;

interface Found {
  key: ApiKey | null;
}
type KeyCache = LRUCache<string, Found>;

/**
 * Authenticates API keys. Known keys, once found usable, have a cache of their own, which no unknown key can displace.
 */
@Injectable()
export class ApiKeysService {
  /** Usable keys by hash. An entry outlives its lifetime and is then read again. */
  private readonly known: KeyCache;
  /** Results for all other hashes, so that repeated guesses do not reach the database. */
  private readonly unknown: KeyCache;

  constructor(
    private readonly repository: ApiKeysRepository,
    private readonly context: ServiceContext,
  ) {
    const lookups = bulkhead(UNKNOWN_LOOKUPS, WAITING_LOOKUPS);
    this.known = keyCache((hash) => this.repository.findUsable(hash));
    this.unknown = keyCache((hash) => lookups.execute(() => this.repository.findUsable(hash)));
  }

  /**
   * Authenticates a key that was usable before; undefined for any other.
   * @throws ServiceError `unavailable` without the database
   */
  async authenticateKnown(authorization: string | undefined): Promise<ApiKey | undefined> {
    const key = bearerKey(authorization);
    if (key === undefined) return undefined;
    const hash = hashOfKey(key);
    if (this.known.peek(hash, { allowStale: true }) === undefined) return undefined;
    const found = await this.fetch(this.known, hash);
    if (found.key === null) this.known.delete(hash);
    return found.key ?? undefined;
  }

  /** @throws ServiceError `unauthenticated`; `unavailable` without the database, or with too many lookups waiting */
  async authenticate(authorization: string | undefined): Promise<ApiKey> {
    const key = bearerKey(authorization);
    if (key === undefined)
      throw unauthenticated('Expected an API key: Authorization: Bearer <key>.');
    const hash = hashOfKey(key);
    const found = await this.fetch(this.unknown, hash);
    if (found.key === null) throw unauthenticated('The API key is unknown, revoked or expired.');
    this.known.set(hash, found, { ttl: Math.max(1, this.unknown.getRemainingTTL(hash)) });
    return found.key;
  }

  private async fetch(cache: KeyCache, hash: string): Promise<Found> {
    return cache.forceFetch(hash).catch((err: unknown) => {
      if (!isBulkheadRejectedError(err)) {
        this.context.logger.error({ err }, 'API key lookup failed');
      }
      throw unavailable('API keys cannot be checked now.');
    });
  }
}

const keyCache = (find: (hash: string) => Promise<ApiKey | null>): KeyCache =>
  new LRUCache({
    max: KEY_CACHE_CAPACITY,
    ttl: KEY_TTL_MS,
    ttlResolution: 0,
    // A known key stays known while the database is away.
    noDeleteOnFetchRejection: true,
    fetchMethod: async (hash, _stale, { options }) => {
      const startedAt = performance.now();
      const key = await find(hash);
      // A key is as old as its query: a revocation may commit while it runs.
      options.ttl = Math.max(1, KEY_TTL_MS - (performance.now() - startedAt));
      return { key };
    },
  });

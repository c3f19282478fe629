import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Caller } from '@bascule/identity';
import { clientIpOfRequest } from '@bascule/service-host';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { Route } from '../routing/route-table.js';

/** A response with its body, as sent to the client. */
export interface CachedResponse {
  tag: string;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

interface ForwardedResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: unknown;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Memory of an entry besides key and body. */
const OVERHEAD_BYTES = 2_048;

/**
 * Short-lived cache of cacheable responses, one entry per API key. Every request is admitted before its lookup.
 */
@Injectable()
export class ResponseCacheService {
  private readonly cache: LRUCache<string, CachedResponse> | undefined;

  private readonly trustedHops: number;

  constructor(@Inject(GATEWAY_CONFIG) { responseCacheMs, trustedHops }: GatewayConfig) {
    this.trustedHops = trustedHops;
    if (responseCacheMs === 0) return;
    this.cache = new LRUCache({
      maxSize: MAX_BYTES,
      sizeCalculation: ({ body }, key) => body.length + 2 * key.length + OVERHEAD_BYTES,
      ttl: responseCacheMs,
    });
  }

  find(route: Route, caller: Caller, request: FastifyRequest): CachedResponse | undefined {
    if (this.cache === undefined || !isCacheable(route)) return undefined;
    if (request.headers['cache-control']?.includes('no-cache') === true) return undefined;
    const key = cacheKey(caller, request);
    return this.cache.get(key) ?? this.cache.get(this.clientKey(key, request));
  }

  store(route: Route, caller: Caller, request: FastifyRequest, answer: ForwardedResponse): void {
    if (this.cache === undefined || !isCacheable(route)) return;
    const kept = cachedResponseOf(answer);
    if (kept === undefined) return;
    const key = cacheKey(caller, request);
    const isPublic = String(kept.headers['cache-control']).includes('public');
    this.cache.set(isPublic ? key : this.clientKey(key, request), kept);
  }

  /** Adds the client address to the key: a private response may depend on the client's location. */
  private clientKey(key: string, request: FastifyRequest): string {
    return `${key} ${clientIpOfRequest(request, this.trustedHops) ?? 'unknown'}`;
  }
}

const isCacheable = ({ method, access }: Route): boolean =>
  method === 'GET' && access === 'api-key';

/** Cache key: API key, URL and accepted encodings. */
const cacheKey = ({ keyId }: Caller, { headers, raw }: FastifyRequest): string =>
  `${keyId} ${raw.url} ${String(headers['accept-encoding'])}`;

function cachedResponseOf({
  status,
  headers,
  body,
}: ForwardedResponse): CachedResponse | undefined {
  const { etag, vary } = headers;
  const control = String(headers['cache-control'] ?? 'no-store');
  if (status !== 200 || !Buffer.isBuffer(body) || typeof etag !== 'string') return undefined;
  if (/no-store|no-cache/.test(control)) return undefined;
  if (vary !== undefined && String(vary).toLowerCase() !== 'accept-encoding') return undefined;
  return { tag: etag, headers, body };
}

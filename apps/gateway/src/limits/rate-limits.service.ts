import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { ServiceError } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import type { ApiKey } from '../callers/api-key.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig, RateLimitConfig } from '../config/gateway.config.js';
import { addressBlockOfRequest } from '../callers/client-ip.adapter.js';
import { isExceeded, rateLimitHeaders, shareOf } from './rate-limit.js';
import type { RateLimitState } from './rate-limit.js';
import { RateLimitCountersClient } from './rate-limit-counters.client.js';

/** Counts requests by API key, or by client address without one, and refuses those above the limit. */
@Injectable()
export class RateLimitsService {
  private readonly config: RateLimitConfig;
  private readonly trustedHops: number;
  private readonly counters: RateLimitCountersClient;
  private readonly fallbacks: Counter;

  constructor(@Inject(GATEWAY_CONFIG) config: GatewayConfig, context: ServiceContext) {
    this.config = config.rateLimit;
    this.trustedHops = config.trustedHops;
    this.counters = new RateLimitCountersClient(this.config, context.logger);
    this.fallbacks = new Counter({
      name: 'gateway_rate_limit_fallbacks_total',
      help: 'Requests counted by this replica alone because Redis timed out.',
      registers: [context.metrics],
    });
    context.shutdown.add('relay', 'redis', async () => {
      this.counters.close();
    });
  }

  /** @throws ServiceError `rate_limited`; the headers are set either way */
  async take(key: ApiKey, reply: FastifyReply): Promise<void> {
    const limit = key.rateLimit ?? this.config.requests;
    const state = await this.count('key', key.caller.keyId, limit);
    void reply.headers(rateLimitHeaders(state));
    if (isExceeded(state)) throw exceeded('Too many requests with this key; see Retry-After.');
  }

  /**
   * Counts a request without a valid API key by its client's address.
   * @throws ServiceError `rate_limited`, with the headers
   */
  async takeKeyless(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const client = addressBlockOfRequest(request, this.trustedHops);
    const state = await this.count('client', `client:${client}`, this.config.keylessRequests);
    if (!isExceeded(state)) return;
    void reply.headers(rateLimitHeaders(state));
    throw exceeded('Too many requests without a valid key; see Retry-After.');
  }

  private async count(
    policy: RateLimitState['policy'],
    counter: string,
    limit: number,
  ): Promise<RateLimitState> {
    const { windowSeconds, replicas, redis } = this.config;
    const { isShared, ...count } = await this.counters.count(counter);
    if (isShared) return { policy, limit, windowSeconds, ...count };
    if (redis !== undefined) this.fallbacks.inc();
    return { policy, limit: shareOf(limit, replicas), windowSeconds, ...count };
  }
}

const exceeded = (message: string) =>
  new ServiceError('rate_limited', [{ kind: 'other', message }]);

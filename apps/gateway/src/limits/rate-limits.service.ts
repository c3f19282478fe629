import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Counter } from 'prom-client';
import { ServiceError } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import type { ApiKey } from '../access/api-key.js';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig, RateLimitConfig } from '../gateway.config.js';
import { isExceeded, rateLimitHeaders, shareOf } from './rate-limit.js';
import type { RateLimitState } from './rate-limit.js';
import { LocalCounters, SharedCounters } from './rate-limit-counters.client.js';

/** Counts the requests of each API key and refuses those beyond its limit. */
@Injectable()
export class RateLimits {
  private readonly config: RateLimitConfig;
  private readonly local: LocalCounters;
  private readonly shared: SharedCounters | undefined;
  private readonly fallbacks: Counter;

  constructor(@Inject(GATEWAY_CONFIG) config: GatewayConfig, context: ServiceContext) {
    this.config = config.rateLimit;
    const { redisUrl, windowSeconds } = this.config;
    this.local = new LocalCounters(windowSeconds);
    this.fallbacks = new Counter({
      name: 'gateway_rate_limit_fallbacks_total',
      help: 'Requests counted by this replica alone, because Redis did not answer in time.',
      registers: [context.metrics],
    });
    if (redisUrl === undefined) return;
    const shared = new SharedCounters(redisUrl, windowSeconds, context.logger);
    context.shutdown.add('relay', 'redis', async () => {
      shared.close();
    });
    this.shared = shared;
  }

  /** @throws ServiceError `rate_limited`; the headers are set either way */
  async take(key: ApiKey, reply: FastifyReply): Promise<void> {
    const state = await this.count(key);
    void reply.headers(rateLimitHeaders(state));
    if (!isExceeded(state)) return;
    throw new ServiceError('rate_limited', [
      { kind: 'other', message: 'Too many requests with this key; see Retry-After.' },
    ]);
  }

  private async count(key: ApiKey): Promise<RateLimitState> {
    const limit = key.rateLimit ?? this.config.requests;
    const { windowSeconds, replicas } = this.config;
    const shared = await this.shared?.count(key.caller.keyId).catch(() => undefined);
    if (shared !== undefined) return { limit, windowSeconds, ...shared };
    if (this.shared !== undefined) this.fallbacks.inc();
    return {
      limit: shareOf(limit, replicas),
      windowSeconds,
      ...(await this.local.count(key.caller.keyId)),
    };
  }
}

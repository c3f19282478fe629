import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { ServiceError } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import type { ApiKey } from '../callers/api-key.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig, RateLimitConfig } from '../config/gateway.config.js';
import { addressBlocksOfRequest } from '../callers/client-ip.adapter.js';
import { limitsOfKey } from './key-limits.js';
import { rateLimitHeaders, tightest } from './rate-limit.js';
import type { Budget, RateLimitState } from './rate-limit.js';
import { RateLimitCountersClient } from './rate-limit-counters.client.js';

const REFUSALS: Record<Budget['policy'], string> = {
  client: 'Too many requests of this client with this key; see Retry-After.',
  key: 'Too many requests with this key; see Retry-After.',
  organisation: 'Too many requests of this organisation; see Retry-After.',
};

/** Counts requests by client, API key and organisation, and refuses those above a limit. */
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

  /**
   * Charges the client of a publishable key, the key and its organisation; a refused request charges none of them.
   * @param weight units of the request
   * @throws ServiceError `rate_limited`; the headers are set either way
   */
  async take(
    key: ApiKey,
    weight: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { keyId, orgId } = key.caller;
    const limits = limitsOfKey(key, this.config);
    const budgets: Budget[] = [
      ...(limits.client === undefined
        ? []
        : this.clientBudgets(request, `visitor:${keyId}`, limits.client, weight)),
      { policy: 'key', counter: `key:${keyId}`, limit: limits.key, cost: weight },
      { policy: 'organisation', counter: `org:${orgId}`, limit: limits.organisation, cost: weight },
    ];
    const [first, ...others] = await this.states(budgets);
    if (first === undefined) throw new Error('expected at least one budget');
    const state = tightest(first, ...others);
    void reply.headers(rateLimitHeaders(state));
    if (state.isExceeded) throw exceeded(REFUSALS[state.policy]);
  }

  /**
   * Charges the client address of a request without a known API key.
   * @throws ServiceError `rate_limited`, with the headers
   */
  async takeKeyless(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const budgets = this.clientBudgets(request, 'client', this.config.keylessRequests, 1);
    const state = (await this.states(budgets)).find(({ isExceeded }) => isExceeded);
    if (state === undefined) return;
    void reply.headers(rateLimitHeaders(state));
    throw exceeded('Too many requests without a valid key; see Retry-After.');
  }

  private clientBudgets(
    request: FastifyRequest,
    counted: string,
    limit: number,
    cost: number,
  ): Budget[] {
    return addressBlocksOfRequest(request, this.trustedHops).map(({ name, clients }) => ({
      policy: 'client',
      counter: `${counted}:${name}`,
      limit: limit * clients,
      cost,
    }));
  }

  private async states(asked: readonly Budget[]): Promise<RateLimitState[]> {
    const { windowSeconds, redis } = this.config;
    const { budgets, counts, exceeded: refused, isShared } = await this.counters.take(asked);
    if (!isShared && redis !== undefined) this.fallbacks.inc();
    return budgets.flatMap(({ policy, limit }, index) => {
      const count = counts[index];
      return count
        ? [{ policy, limit, windowSeconds, ...count, isExceeded: index === refused }]
        : [];
    });
  }
}

const exceeded = (message: string) =>
  new ServiceError('rate_limited', [{ kind: 'other', message }]);

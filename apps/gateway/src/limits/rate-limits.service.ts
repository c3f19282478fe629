import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import { ServiceError } from '@bascule/contracts';
import { ServiceContext } from '@bascule/process';
import { addressBlocksOfRequest, visitorBlockOfRequest } from '@bascule/service-host';
import type { ApiKey } from '../callers/api-key.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig, RateLimitConfig } from '../config/gateway.config.js';
import { limitsOfKey } from './key-limits.js';
import type { KeyLimits } from './key-limits.js';
import { rateLimitHeaders, tightest } from './rate-limit.js';
import type { Budget, RateLimitState } from './rate-limit.js';
import { RateLimitCountersClient } from './rate-limit-counters.client.js';

const REFUSALS: Record<Budget['policy'], string> = {
  client: 'Too many requests of this client; see Retry-After.',
  key: 'Too many requests with this key; see Retry-After.',
  publishable_keys:
    'Too many requests with publishable keys of this organisation; see Retry-After.',
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
   * Charges the client of a publishable key, the key, the organisation's publishable keys and the organisation; a refused
   * request charges none of them.
   * @param weight units of the request
   * @throws ServiceError `rate_limited`; the headers are set either way
   */
  async take(
    key: ApiKey,
    weight: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const limits = limitsOfKey(key, this.config);
    const [first, ...others] = await this.states([
      ...this.visitorBudgets(key, limits, weight, request),
      ...keyBudgets(key, limits, weight),
    ]);
    if (first === undefined) throw new Error('expected at least one budget');
    const state = tightest(first, ...others);
    void reply.headers(rateLimitHeaders(state));
    if (state.isExceeded) throw exceeded(REFUSALS[state.policy]);
  }

  /**
   * Charges the client address of a request without a known API key.
   * @param cost units of the request
   * @throws ServiceError `rate_limited`, with the headers
   */
  async takeKeyless(cost: number, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const budgets = addressBlocksOfRequest(request, this.trustedHops).map(
      ({ name, clients }): Budget => ({
        ...{ policy: 'client', counter: `client:${name}`, cost },
        limit: this.config.keylessRequests * clients,
      }),
    );
    const state = (await this.states(budgets)).find(({ isExceeded }) => isExceeded);
    if (state === undefined) return;
    void reply.headers(rateLimitHeaders(state));
    throw exceeded('Too many requests without a valid key; see Retry-After.');
  }

  /** Budgets of a publishable key's client: by key for each of its address blocks, and by organisation. */
  private visitorBudgets(
    { caller: { keyId, orgId } }: ApiKey,
    { client: limits }: KeyLimits,
    cost: number,
    request: FastifyRequest,
  ): Budget[] {
    if (limits === undefined) return [];
    const client = (counter: string, limit: number): Budget => ({
      ...{ policy: 'client', counter: `visitor:${counter}` },
      ...{ limit, cost },
    });
    const blocks = addressBlocksOfRequest(request, this.trustedHops);
    return [
      ...blocks.map(({ name, clients }) =>
        client(`${keyId}:${name}`, Math.min(limits.address * clients, limits.block)),
      ),
      client(`${orgId}:${visitorBlockOfRequest(request, this.trustedHops)}`, limits.organisation),
    ];
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

function keyBudgets(
  { caller: { keyId, orgId } }: ApiKey,
  { key, publishable, organisation }: KeyLimits,
  cost: number,
): Budget[] {
  const counter = `org:${orgId}`;
  return [
    { policy: 'key', counter: `key:${keyId}`, limit: key, cost },
    ...(publishable === undefined
      ? []
      : [
          {
            policy: 'publishable_keys' as const,
            counter: `${counter}:publishable`,
            limit: publishable,
            cost,
          },
        ]),
    { policy: 'organisation', counter, limit: organisation, cost },
  ];
}

const exceeded = (message: string) =>
  new ServiceError('rate_limited', [{ kind: 'other', message }]);

import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceContext } from '@bascule/process';
import { sharesOf } from '@bascule/contracts';
import { QuotaRefusals, visitorBlockOfRequest } from '@bascule/service-host';
import type { UsedShare } from '@bascule/service-host';
import type { ApiKey } from '../callers/api-key.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { AdmittedRoute } from '../routing/route-table.js';
import { rateLimitHeaders } from './rate-limit.js';
import type { Budget } from './rate-limit.js';
import { RateLimitCountersClient } from './rate-limit-counters.client.js';

const WINDOW_SECONDS = 1;

const isForQuotes = ({ method, path }: AdmittedRoute): boolean =>
  method === 'POST' && path === '/payments/quotes';

/** Bounds the requests for quotes of an organisation in a second, since each asks every party of its routes. */
@Injectable()
export class QuoteQuotaService {
  private readonly counters: RateLimitCountersClient;
  private readonly refusals: QuotaRefusals;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    { logger, metrics, shutdown }: ServiceContext,
  ) {
    const { redis, replicas } = config.rateLimit;
    this.counters = new RateLimitCountersClient(
      { redis, replicas, windowSeconds: WINDOW_SECONDS },
      logger,
    );
    const quota = { name: 'quotes_per_second', what: 'quotes per second' };
    this.refusals = new QuotaRefusals({ ...quota, until: 'the next second begins' }, metrics);
    shutdown.add('relay', 'redis of quotas', async () => {
      this.counters.close();
    });
  }

  /**
   * Counts a request for quotes; passes any other route, and a key without the permission, which costs nothing.
   * @throws ServiceError 429, with the headers, where the organisation, its publishable keys or the visitor used up theirs
   */
  async take(
    route: AdmittedRoute,
    key: ApiKey,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    if (!isForQuotes(route) || !key.caller.permissions.includes('quotes')) return;
    const quota = key.quotesPerSecond ?? this.config.maxQuotesPerSecond;
    const asked = this.budgets(key, quota, request);
    const { budgets, counts, exceeded } = await this.counters.take(
      asked.map(({ budget }) => budget),
    );
    const [budget, count, share] = [budgets[exceeded], counts[exceeded], asked[exceeded]];
    if (budget === undefined || count === undefined || share === undefined) return;
    const { limit } = budget;
    const window = { limit, windowSeconds: WINDOW_SECONDS, ...count, isExceeded: true };
    void reply.headers(rateLimitHeaders({ ...window, policy: 'quotes' }));
    const used = { holder: share.holder, limit: share.budget.limit, quota };
    throw this.refusals.refuse(used, WINDOW_SECONDS);
  }

  private budgets(
    { caller: { orgId, kind } }: ApiKey,
    quota: number,
    request: FastifyRequest,
  ): { holder: UsedShare['holder']; budget: Budget }[] {
    const counted = (
      holder: UsedShare['holder'],
      policy: Budget['policy'],
      name: string,
      limit: number,
    ) => ({ holder, budget: { policy, counter: `quotes:${orgId}${name}`, limit, cost: 1 } });
    const all = counted('all', 'organisation', '', quota);
    if (kind === 'secret') return [all];
    const { publishable, visitor } = sharesOf(quota);
    const block = visitorBlockOfRequest(request, this.config.trustedHops);
    return [
      counted('visitor', 'client', `:visitor:${block}`, visitor),
      counted('publishable_keys', 'organisation', ':publishable', publishable),
      all,
    ];
  }
}

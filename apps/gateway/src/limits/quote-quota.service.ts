import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ServiceContext } from '@bascule/process';
import { QuotaRefusals } from '@bascule/service-host';
import type { ApiKey } from '../callers/api-key.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { AdmittedRoute } from '../routing/route-table.js';
import { rateLimitHeaders } from './rate-limit.js';
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
   * Counts a request for quotes; passes any other route.
   * @throws ServiceError 429, with the headers, where the organisation has used up its quota
   */
  async take(
    route: AdmittedRoute,
    { caller, quotesPerSecond }: ApiKey,
    reply: FastifyReply,
  ): Promise<void> {
    if (!isForQuotes(route)) return;
    const quota = quotesPerSecond ?? this.config.maxQuotesPerSecond;
    const counter = `quotes:${caller.orgId}`;
    const { budgets, counts, exceeded } = await this.counters.take([
      { policy: 'organisation', counter, limit: quota, cost: 1 },
    ]);
    const [budget] = budgets;
    const [count] = counts;
    if (exceeded !== 0 || budget === undefined || count === undefined) return;
    const { limit } = budget;
    const window = { limit, windowSeconds: WINDOW_SECONDS, ...count, isExceeded: true };
    void reply.headers(rateLimitHeaders({ ...window, policy: 'quotes' }));
    throw this.refusals.refuse(quota, WINDOW_SECONDS);
  }
}

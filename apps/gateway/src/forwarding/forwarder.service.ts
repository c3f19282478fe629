import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import {
  CLIENT_IP_HEADER,
  INTERNAL_TOKEN_HEADER,
  InternalTokenIssuer,
  VISITOR_HEADER,
} from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import {
  clientIpOfRequest,
  failureOfStatus,
  isKnown,
  REQUEST_ID_HEADER,
  visitorBlockOfRequest,
} from '@bascule/service-host';
import { ServiceContext, traceHeaders, withSpan } from '@bascule/process';
import type { Reloadable } from '@bascule/process';
import { VisitorNames } from '../callers/visitor-names.js';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import { isLink } from '../routing/route-table.js';
import type { Route } from '../routing/route-table.js';
import { LINK_TOKEN_PARAMETER, fillPath, queryOf } from '../routing/upstream-path.js';
import { holderOf } from './holder.js';
import { requestHeaders, responseHeaders } from './headers.js';
import { ResponseCacheService } from './response-cache.service.js';
import type { CachedResponse } from './response-cache.service.js';
import { RequestsInFlightService } from './requests-in-flight.service.js';
import { STATUS_OF_FAILURE, upstreamFailure } from './upstream-failure.js';
import type { UpstreamFailure } from './upstream-failure.js';
import type { UpstreamResponse } from './upstream-exchange.client.js';
import { UpstreamsClient } from './upstreams.client.js';

/** Forwards an admitted request to its service and streams the response back unparsed. */
@Injectable()
export class ForwarderService {
  private readonly failures: Counter<'service' | 'failure'>;
  private readonly clientsWithoutAddress: Counter;
  private readonly visitorNames: Reloadable<VisitorNames>;

  constructor(
    private readonly upstreams: UpstreamsClient,
    private readonly tokens: InternalTokenIssuer,
    private readonly inFlight: RequestsInFlightService,
    private readonly cache: ResponseCacheService,
    private readonly context: ServiceContext,
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
  ) {
    this.visitorNames = config.internalTokenKey.map((key) => new VisitorNames(key));
    this.failures = new Counter({
      name: 'gateway_upstream_failures_total',
      help: 'Forwarded requests without a response from the service.',
      labelNames: ['service', 'failure'],
      registers: [context.metrics],
    });
    this.clientsWithoutAddress = new Counter({
      name: 'gateway_clients_without_address_total',
      help: 'Forwarded requests without a client address from trusted proxies.',
      registers: [context.metrics],
    });
  }

  async forward(
    route: Route,
    caller: Caller,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    // The reply's clock starts before the admission, and before the body arrives.
    const arrivedAt = performance.now() - reply.elapsedTime;
    const cached = this.cache.find(route, caller, request);
    if (cached !== undefined) {
      this.inFlight.limitReading(reply);
      return sendCached(reply, cached, request.headers['if-none-match']);
    }
    const headers = {
      ...requestHeaders(request.headers),
      [INTERNAL_TOKEN_HEADER]: await this.tokens.issue(caller),
      ...this.clientIpHeader(request),
      ...this.visitorHeader(caller, request),
      [REQUEST_ID_HEADER]: request.id,
    };
    const flight = this.inFlight.begin(reply);
    const answer = await asUpstreamSpan(route, () =>
      this.upstreams.request(
        {
          service: route.service,
          holder: holderOf(caller, visitorBlockOfRequest(request, this.config.trustedHops)),
          method: route.method,
          path: upstreamPath(route, request),
          headers: { ...headers, ...traceHeaders() },
          body: Buffer.isBuffer(request.body) ? request.body : null,
          timeout: route.timeout,
          arrivedAt,
        },
        flight,
      ),
    ).catch((error: unknown) => {
      const failure = flight.reason ?? upstreamFailure(error);
      this.recordFailure(route, request, failure, error);
      return failure;
    });
    this.inFlight.limitReading(reply);
    if (typeof answer === 'string') return refuse(reply, answer);
    const returned = { ...answer, headers: responseHeaders(answer.headers) };
    this.cache.store(route, caller, request, returned);
    return reply.code(returned.status).headers(returned.headers).send(returned.body);
  }

  private clientIpHeader(request: FastifyRequest): Record<string, string> {
    const clientIp = clientIpOfRequest(request, this.config.trustedHops);
    if (clientIp === undefined) this.clientsWithoutAddress.inc();
    return clientIp === undefined ? {} : { [CLIENT_IP_HEADER]: clientIp };
  }

  private visitorHeader({ kind, orgId }: Caller, request: FastifyRequest): Record<string, string> {
    if (kind !== 'publishable') return {};
    const block = visitorBlockOfRequest(request, this.config.trustedHops);
    return { [VISITOR_HEADER]: this.visitorNames.current.nameOf(orgId, block) };
  }

  private recordFailure(
    { service }: Route,
    request: FastifyRequest,
    failure: UpstreamFailure,
    err: unknown,
  ) {
    this.failures.inc({ service, failure });
    // Refusals of a flood are counted, not logged one by one.
    if (failure === 'client gone' || failure === 'overloaded') return;
    this.context.logger.warn(
      { err, service, failure, request_id: request.id },
      'upstream request failed',
    );
  }
}

const asUpstreamSpan = (
  { method, path, service }: Route,
  ask: () => Promise<UpstreamResponse>,
): Promise<UpstreamResponse> =>
  withSpan(
    `${method} ${path}`,
    { 'http.request.method': method, 'url.template': path, 'service.peer.name': service },
    async (span) => {
      const answer = await ask();
      span?.setAttribute('http.response.status_code', answer.status);
      return answer;
    },
    'client',
  );

function sendCached(
  reply: FastifyReply,
  cached: CachedResponse,
  known: string | undefined,
): FastifyReply {
  void reply.headers(cached.headers);
  if (!isKnown(known, cached.tag)) return reply.code(200).send(cached.body);
  for (const name of BODY_HEADERS) void reply.removeHeader(name);
  return reply.code(304).send();
}

/** Headers that a 304 omits. */
const BODY_HEADERS = ['content-encoding', 'content-length', 'content-type'];

function refuse(reply: FastifyReply, failure: UpstreamFailure): FastifyReply {
  const { status, headers, body } = failureOfStatus(STATUS_OF_FAILURE[failure]);
  return reply.code(status).headers(headers).send(body);
}

function upstreamPath(route: Route, request: FastifyRequest): string {
  const path = fillPath(route.path, request.params as Record<string, string>);
  const credential = isLink(route.access) ? LINK_TOKEN_PARAMETER : undefined;
  return path + queryOf(request.raw.url ?? '', credential);
}

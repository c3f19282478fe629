import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { Pool } from 'undici';
import { ServiceContext } from '@bascule/process';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { Route, ServiceName } from '../routing/route-table.js';
import type { Holder } from './holder.js';
import type { RequestInFlight } from './requests-in-flight.service.js';
import { UpstreamExchangeClient } from './upstream-exchange.client.js';
import type { UpstreamResponse } from './upstream-exchange.client.js';
import { ExchangeTooLongError, isRefused } from './upstream-failure.js';
import { UpstreamQueue } from './upstream-queue.js';

const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_AFTER_MS = [50, 250];

const TIMEOUTS: readonly Route['timeout'][] = ['normal', 'long'];
const poolName = (service: string, timeout: Route['timeout']) => `${service} ${timeout}`;

interface Upstream {
  service: string;
  timeout: Route['timeout'];
  pool: Pool;
  basePath: string;
  queue: UpstreamQueue;
}

export interface UpstreamRequest {
  service: ServiceName;
  /** Holder whose share of the connections it uses. */
  holder: Holder;
  method: Route['method'];
  path: string;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
  timeout: Route['timeout'];
  /** Time of its arrival on the monotonic clock, in milliseconds. */
  arrivedAt: number;
}

/** Two connection pools per service, each behind a bounded queue: for normal and for long requests. */
@Injectable()
export class UpstreamsClient {
  private readonly upstreams: ReadonlyMap<string, Upstream>;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    context: ServiceContext,
  ) {
    // Requests that may wait 300 s have their own pool, so that they cannot block others.
    const all = Object.entries(config.upstreams).flatMap(([service, url]) =>
      TIMEOUTS.map((timeout) => openUpstream(service, timeout, url, config)),
    );
    this.upstreams = new Map(all.map((each) => [poolName(each.service, each.timeout), each]));
    measureQueues(all, context);
    context.shutdown.add('relay', 'upstream connections', async () => {
      await Promise.all(all.map(({ pool }) => pool.destroy()));
    });
  }

  /**
   * Sends a request; retries only after a refused connection. Its deadline in the queue counts from its arrival; the time
   * limit of the service counts from here, so that a body that arrives slowly does not use it up.
   * @throws UpstreamBusyError
   */
  async request(request: UpstreamRequest, flight: RequestInFlight): Promise<UpstreamResponse> {
    const startedAt = performance.now();
    for (const pause of RETRY_AFTER_MS) {
      try {
        return await this.send(request, startedAt, flight);
      } catch (error) {
        if (!isRefused(error) || flight.reason !== undefined) throw error;
        await delay(pause);
      }
    }
    return this.send(request, startedAt, flight);
  }

  private async send(
    request: UpstreamRequest,
    startedAt: number,
    flight: RequestInFlight,
  ): Promise<UpstreamResponse> {
    const upstream = this.upstreams.get(poolName(request.service, request.timeout));
    if (upstream === undefined) throw new Error(`no URL configured for ${request.service}`);
    const { pool, queue, basePath } = upstream;
    const { holder } = request;
    if (flight.reason !== undefined) throw new Error('request aborted');
    await queue.enter(holder, request.arrivedAt + this.config.queue.waitMs, flight);
    const timeoutMs = this.config.timeouts[request.timeout];
    const waitedMs = performance.now() - startedAt;
    // Time between parts of the body has a limit of its own, which does not end a paused or trickling one.
    const whole = setTimeout(
      () => {
        exchange.abort(new ExchangeTooLongError('exchange with the service took too long'));
      },
      Math.max(1, timeoutMs - waitedMs) + this.config.timeouts.read,
    );
    const exchange = new UpstreamExchangeClient(() => {
      clearTimeout(whole);
      queue.leave(holder);
    });
    flight.exchange = exchange;
    if (flight.reason !== undefined) exchange.abort();
    pool.dispatch(
      {
        path: basePath + request.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: Math.max(1, Math.ceil(timeoutMs - waitedMs)),
        bodyTimeout: timeoutMs,
      },
      exchange,
    );
    return exchange.response;
  }
}

function openUpstream(
  service: string,
  timeout: Route['timeout'],
  url: string,
  { connections, queue }: GatewayConfig,
): Upstream {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections: connections.max,
    pipelining: 1,
    // Shorter than the grace of a leaving service, so that no request meets a closing connection.
    keepAliveTimeout: connections.idleMs,
    keepAliveMaxTimeout: connections.idleMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  return {
    service,
    timeout,
    pool,
    basePath: pathname.replace(/\/$/, ''),
    queue: new UpstreamQueue({ connections: connections.max, waiting: queue.max }),
  };
}

function measureQueues(upstreams: readonly Upstream[], { metrics }: ServiceContext): void {
  new Gauge({
    name: 'gateway_upstream_requests',
    help: 'Requests to a service that use a connection (active) or wait for one (queued), by the time limit of their route.',
    labelNames: ['service', 'timeout', 'state'],
    registers: [metrics],
    collect() {
      for (const { service, timeout, queue } of upstreams) {
        this.set({ service, timeout, state: 'active' }, queue.active);
        this.set({ service, timeout, state: 'queued' }, queue.waiting);
      }
    },
  });
}

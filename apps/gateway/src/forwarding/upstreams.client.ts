import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'undici';
import { ServiceContext } from '@bascule/process';
import { GATEWAY_CONFIG } from '../config/gateway.config.js';
import type { GatewayConfig } from '../config/gateway.config.js';
import type { Route, ServiceName } from '../routing/route-table.js';
import type { RequestInFlight } from './requests-in-flight.service.js';
import { UpstreamExchangeClient } from './upstream-exchange.client.js';
import type { UpstreamResponse } from './upstream-exchange.client.js';
import { isRefused } from './upstream-failure.js';

const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_AFTER_MS = [50, 250];

const TIMEOUTS: readonly Route['timeout'][] = ['normal', 'long'];
const poolName = (service: string, timeout: Route['timeout']) => `${service} ${timeout}`;

export interface UpstreamRequest {
  service: ServiceName;
  method: Route['method'];
  path: string;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
  timeout: Route['timeout'];
}

/** Two connection pools per service: for normal and for long requests. */
@Injectable()
export class UpstreamsClient {
  private readonly pools: ReadonlyMap<string, { pool: Pool; basePath: string }>;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    context: ServiceContext,
  ) {
    const upstreams = Object.entries(config.upstreams);
    // Requests that may wait 300 s have their own pool, so that they cannot block others.
    this.pools = new Map(
      upstreams.flatMap(([name, url]) =>
        TIMEOUTS.map((timeout) => [poolName(name, timeout), openPool(url, config)]),
      ),
    );
    context.shutdown.add('relay', 'upstream connections', async () => {
      await Promise.all([...this.pools.values()].map(({ pool }) => pool.destroy()));
    });
  }

  /** Sends a request; retries only after a refused connection. */
  async request(request: UpstreamRequest, flight: RequestInFlight): Promise<UpstreamResponse> {
    for (const pause of RETRY_AFTER_MS) {
      try {
        return await this.send(request, flight);
      } catch (error) {
        if (!isRefused(error) || flight.reason !== undefined) throw error;
        await delay(pause);
      }
    }
    return this.send(request, flight);
  }

  private send(request: UpstreamRequest, flight: RequestInFlight): Promise<UpstreamResponse> {
    const upstream = this.pools.get(poolName(request.service, request.timeout));
    if (upstream === undefined) throw new Error(`no URL configured for ${request.service}`);
    const timeoutMs = this.config.timeouts[request.timeout];
    const exchange = new UpstreamExchangeClient();
    flight.exchange = exchange;
    if (flight.reason !== undefined) exchange.abort();
    upstream.pool.dispatch(
      {
        path: upstream.basePath + request.path,
        method: request.method,
        headers: request.headers,
        body: request.body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      },
      exchange,
    );
    return exchange.response;
  }
}

function openPool(url: string, { connections }: GatewayConfig): { pool: Pool; basePath: string } {
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, {
    connections: connections.max,
    pipelining: 1,
    // Shorter than the grace of a leaving service, so that no request meets a closing connection.
    keepAliveTimeout: connections.idleMs,
    keepAliveMaxTimeout: connections.idleMs,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  });
  return { pool, basePath: pathname.replace(/\/$/, '') };
}

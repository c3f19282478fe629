import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { Agent } from 'undici';
import type { Dispatcher } from 'undici';
import { ServiceContext } from '@bascule/process';
import { GATEWAY_CONFIG } from '../gateway.config.js';
import type { GatewayConfig } from '../gateway.config.js';
import type { Route, ServiceName } from '../routing/route-table.js';
import { isRefused } from './upstream-failure.js';

const CONNECT_TIMEOUT_MS = 3_000;
const RETRY_AFTER_MS = [50, 250];

export interface UpstreamRequest {
  service: ServiceName;
  method: Route['method'];
  path: string;
  headers: Record<string, string | string[]>;
  body: Buffer | null;
  timeout: Route['timeout'];
  signal: AbortSignal;
}

/** Pools of connections to the services. */
@Injectable()
export class Upstreams {
  private readonly agent: Agent;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    context: ServiceContext,
  ) {
    const { max, idleMs } = config.connections;
    this.agent = new Agent({
      connections: max,
      pipelining: 1,
      // Services keep idle connections for longer, so a request never meets one that they are closing.
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      connect: { timeout: CONNECT_TIMEOUT_MS },
    });
    context.shutdown.add('relay', 'upstream connections', () => this.agent.destroy());
  }

  /** Tries again only when the connection was refused. */
  async request(request: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    for (const pause of RETRY_AFTER_MS) {
      try {
        return await this.send(request);
      } catch (error) {
        if (!isRefused(error)) throw error;
        await delay(pause, undefined, { signal: request.signal });
      }
    }
    return this.send(request);
  }

  private send(request: UpstreamRequest): Promise<Dispatcher.ResponseData> {
    const base = new URL(this.config.upstreams[request.service]);
    const timeoutMs = this.config.timeouts[request.timeout];
    return this.agent.request({
      origin: base.origin,
      path: base.pathname.replace(/\/$/, '') + request.path,
      method: request.method,
      headers: request.headers,
      body: request.body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      signal: request.signal,
    });
  }
}

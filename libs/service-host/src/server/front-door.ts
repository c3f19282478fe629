import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceContext } from '@bascule/process';
import type { FastifyServerOptions } from 'fastify';
import { failureOfStatus } from '../errors/http-failure.js';
import { fastifyOptions } from './fastify-options.js';
import { operationalAnswer } from './operational-routes.js';

const RETRY_AFTER_SECONDS = '2';

const unavailable = {
  status: 503,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(failureOfStatus(503).body),
};

/**
 * The HTTP server of a service, there before the service is: while that still waits for its database, it tells whether
 * the process lives and what it waits for, and asks everybody else to come back.
 */
export class FrontDoor {
  readonly server: Server;
  private serve: RequestListener | undefined;
  private isOpen = false;

  constructor(private readonly context: ServiceContext) {
    this.server = createServer((request, response) => {
      if (this.isOpen) this.serve?.(request, response);
      else void this.answerMeanwhile(request.url ?? '', response);
    });
  }

  async listen(port: number, host: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Fastify's, on this server. */
  options(bodyLimit: number): FastifyServerOptions {
    const options = fastifyOptions(bodyLimit);
    // Fastify sets these on a server of its own only.
    this.server.keepAliveTimeout = options.keepAliveTimeout ?? 0;
    this.server.requestTimeout = options.requestTimeout ?? 0;
    this.server.setTimeout(0);
    return {
      ...options,
      serverFactory: (handler) => {
        this.serve = handler;
        return this.server;
      },
    };
  }

  /** From now on the service itself answers. */
  open(): void {
    this.isOpen = true;
  }

  private async answerMeanwhile(url: string, response: ServerResponse): Promise<void> {
    const [path = ''] = url.split('?');
    const answer = await operationalAnswer(path, this.context).catch(() => unavailable);
    const { status, type, body } = answer ?? unavailable;
    const headers = { 'content-type': type, 'retry-after': RETRY_AFTER_SECONDS };
    response.writeHead(status, status === 503 ? headers : { 'content-type': type }).end(body);
  }
}

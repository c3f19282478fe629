import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyServerOptions } from 'fastify';
import { failureOfStatus } from '../errors/http-failure.js';
import { fastifyOptions } from './fastify-options.js';
import { listen } from './listen.js';

const { headers: whenUnavailable, body: unavailableBody } = failureOfStatus(503);
const UNAVAILABLE = JSON.stringify(unavailableBody);

/** HTTP server that listens before its service has started. Until then it answers 503 to all requests. */
export class ServiceHttpServer {
  readonly server: Server;
  private handler: RequestListener | undefined;
  private isServing = false;

  constructor() {
    this.server = createServer((request, response) => {
      if (this.isServing) this.handler?.(request, response);
      else answerDuringStart(response);
    });
  }

  listen(port: number, host: string): Promise<void> {
    return listen(this.server, port, host);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Options that run Fastify on this server. */
  options(bodyLimit: number): FastifyServerOptions {
    const options = fastifyOptions(bodyLimit);
    // Fastify sets these only on a server that it created.
    this.server.keepAliveTimeout = options.keepAliveTimeout ?? 0;
    this.server.requestTimeout = options.requestTimeout ?? 0;
    this.server.setTimeout(0);
    return {
      ...options,
      serverFactory: (handler) => {
        this.handler = handler;
        return this.server;
      },
    };
  }

  /** Passes all further requests to the service. */
  open(): void {
    this.isServing = true;
  }
}

function answerDuringStart(response: ServerResponse): void {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...whenUnavailable };
  response.writeHead(503, headers).end(UNAVAILABLE);
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServiceContext } from '@bascule/process';
import { failureOfStatus } from '../errors/http-failure.js';
import { listen } from './listen.js';
import { operationalAnswer } from './operational-routes.js';
import type { OperationalAnswer } from './operational-routes.js';

/** Probes and scrapers are few; a stranger who reaches the port takes no more. */
const MAX_CONNECTIONS = 64;
const ARRIVAL_MS = 5_000;
const IDLE_MS = 10_000;
const MAX_HEADER_BYTES = 8 * 1024;

const failure = (status: number): OperationalAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(failureOfStatus(status).body),
});

/**
 * Serves health and metrics on a port of their own, so that they answer while the service's port is saturated, drains or is
 * closed, and are not reachable where only that port is. It reads no body, and it is the last to stop.
 */
export class OperationsServer {
  private readonly server: Server;
  /** Answers in the making, which concurrent requests share: a scrape may query the database. */
  private readonly running = new Map<string, Promise<OperationalAnswer>>();

  constructor(private readonly context: ServiceContext) {
    this.server = createServer(
      {
        headersTimeout: ARRIVAL_MS,
        requestTimeout: ARRIVAL_MS,
        keepAliveTimeout: IDLE_MS,
        connectionsCheckingInterval: 1_000,
        maxHeaderSize: MAX_HEADER_BYTES,
      },
      (request, response) => void this.serve(request, response),
    );
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  listen(port: number, host: string): Promise<void> {
    return listen(this.server, port, host);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, body, close = false } = await this.answer(request);
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      ...(status === 405 && { allow: 'GET, HEAD' }),
      ...(close && { connection: 'close' }),
    });
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  private async answer({
    method,
    url = '',
    headers,
  }: IncomingMessage): Promise<OperationalAnswer & { close?: boolean }> {
    if (method !== 'GET' && method !== 'HEAD') return { ...failure(405), close: true };
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0) {
      return { ...failure(413), close: true };
    }
    const [path = ''] = url.split('?');
    return this.shared(path).catch(() => failure(500));
  }

  private shared(path: string): Promise<OperationalAnswer> {
    const running = this.running.get(path);
    if (running !== undefined) return running;
    const answer = operationalAnswer(path, this.context).then((found) => found ?? failure(404));
    this.running.set(path, answer);
    const forget = () => void this.running.delete(path);
    void answer.then(forget, forget);
    return answer;
  }
}

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bearer, send, startGateway } from './gateway.fixture.js';
import type { GatewayFixture } from './gateway.fixture.js';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const answerEmpty: Handler = (_, response) => response.end('{}');

/** A service with a test's handler that records its requests. */
export class Upstream {
  readonly received: { method: string; url: string; headers: IncomingMessage['headers'] }[] = [];
  connections = 0;
  handler: Handler = answerEmpty;
  private readonly server: Server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    this.received.push({ method, url, headers });
    this.handler(request, response);
  });
  constructor() {
    this.server.on('connection', () => (this.connections += 1));
  }
  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }
}

const NAMES = ['quote', 'payment', 'withdrawal', 'catalogue', 'webhook-dispatch'] as const;

type Services = Record<(typeof NAMES)[number], Upstream>;

const newServices = (): Services =>
  Object.fromEntries(NAMES.map((name) => [name, new Upstream()])) as Services;

/** A gateway before five stubbed services, with short timeouts. */
export class StubbedGateway {
  private fixture: GatewayFixture | undefined;

  constructor(
    private readonly environment: Record<string, string> = {},
    /** Services shared with another gateway, which starts before and stops after this one. */
    private readonly others?: Services,
    readonly services: Services = others ?? newServices(),
  ) {}

  async open(): Promise<void> {
    const urls = await Promise.all(
      NAMES.map(async (name) => [
        `${name.toUpperCase().replace('-', '_')}_URL`,
        this.others === undefined
          ? await this.services[name].listen()
          : `http://127.0.0.1:${this.services[name].port}`,
      ]),
    );
    this.fixture = await startGateway('http://127.0.0.1:1', {
      ...(Object.fromEntries(urls) as Record<string, string>),
      UPSTREAM_TIMEOUT_MS: '3000',
      UPSTREAM_LONG_TIMEOUT_MS: '60000',
      UPSTREAM_IDLE_MS: '3000',
      ...this.environment,
    });
  }

  async close(): Promise<void> {
    await this.fixture?.stop();
    if (this.others !== undefined) return;
    await Promise.all(Object.values(this.services).map((service) => service.close()));
  }

  /** Resets all services to answer `{}`. */
  reset(): void {
    for (const service of Object.values(this.services)) service.handler = answerEmpty;
  }

  get url(): string {
    return this.fixture?.gateway.url ?? '';
  }

  get key(): Record<string, string> {
    return bearer(this.fixture?.keys.secret ?? '');
  }

  get publishableKey(): Record<string, string> {
    return bearer(this.fixture?.keys.publishable ?? '');
  }

  call(path: string, init: RequestInit = {}) {
    const headers = { ...this.key, ...(init.headers as Record<string, string>) };
    return send(this.url + path, { ...init, headers });
  }

  post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) {
    const all = { 'content-type': 'application/json', ...headers };
    return this.call(path, { method: 'POST', body, headers: all });
  }
}

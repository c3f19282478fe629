import type { WebhookCreated, WebhookDeliveryBody, WebhookEventType } from '@bascule/contracts';
import { freePort } from '@bascule/local-stack';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from '../../../tools/first-payment/api.js';

export interface Hook {
  name: string;
  organisation: string;
  eventTypes: WebhookEventType[];
  secret: string;
  authorization: string | null;
}

export interface Received {
  /** The called path: the name of its hook. */
  hook: string;
  body: WebhookDeliveryBody;
  bytes: string;
  isSigned: boolean;
  authorization: string | null;
  accepted: boolean;
}

/** Number of deliveries that are refused at first and must be retried. */
const REFUSALS = 3;

/** One server behind the webhooks of every organisation. */
export class WebhookInbox {
  readonly hooks: Hook[] = [];
  readonly received: Received[] = [];
  readonly #server: Server;
  readonly #refused = new Set<string>();

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const accepted = this.#record(path.slice(1), request.headers, Buffer.concat(chunks));
        response.writeHead(accepted ? 204 : 500).end();
      });
    });
  }

  async open(): Promise<void> {
    const port = await freePort();
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
  }

  async register(api: Api, hook: Omit<Hook, 'secret'>): Promise<void> {
    const { port } = this.#server.address() as AddressInfo;
    const { name, eventTypes, authorization } = hook;
    const { signing_secret } = await api.post<WebhookCreated>('/orgs/webhooks', {
      url: `http://127.0.0.1:${port}/${name}`,
      label: name,
      event_types: eventTypes,
      ...(authorization === null
        ? {}
        : { auth_header: { name: 'X-Authorization', value: authorization } }),
    });
    this.hooks.push({ ...hook, secret: signing_secret });
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #record(name: string, headers: IncomingHttpHeaders, bytes: Buffer): boolean {
    const hook = this.hooks.find((each) => each.name === name);
    const body = JSON.parse(bytes.toString()) as WebhookDeliveryBody;
    const accepted = this.#refused.size >= REFUSALS || this.#refused.has(body.id);
    if (!accepted) this.#refused.add(body.id);
    this.received.push({
      hook: name,
      body,
      bytes: bytes.toString(),
      isSigned: hook !== undefined && isSigned(headers, bytes, hook.secret),
      authorization: headers['x-authorization']?.toString() ?? null,
      accepted,
    });
    return accepted;
  }
}

function isSigned(headers: IncomingHttpHeaders, bytes: Buffer, secret: string): boolean {
  const digest = createHmac('sha256', secret).update(bytes).digest('hex');
  const expected = Buffer.from(`v1=0x${digest}`);
  return String(headers['x-service-signature'])
    .split(',')
    .map((entry) => Buffer.from(entry.trim()))
    .some((entry) => entry.length === expected.length && timingSafeEqual(entry, expected));
}

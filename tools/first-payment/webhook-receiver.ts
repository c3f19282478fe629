import type { WebhookCreated, WebhookDeliveryBody } from '@bascule/contracts';
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Api } from './api.js';
import { check, checkEqual } from './check.js';
import { until } from './polling.js';

interface Delivery {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** A webhook of the organisation, and the server it calls. */
export class WebhookReceiver {
  readonly #api: Api;
  readonly #deliveries: Delivery[] = [];
  readonly #label = `first-payment-${randomUUID()}`;
  readonly #server: Server;
  #secret = '';

  constructor(api: Api) {
    this.#api = api;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.#deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(204).end();
      });
    });
  }

  async open(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const { port } = this.#server.address() as AddressInfo;
    const webhook = await this.#api.post<WebhookCreated>('/orgs/webhooks', {
      url: `http://127.0.0.1:${port}/webhooks`,
      label: this.#label,
      event_types: ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'],
    });
    this.#secret = webhook.signing_secret;
  }

  /** Waits for the webhook of a payment and verifies its signature. */
  async waitFor(paymentId: string, status: 'COMPLETE' | 'FAILED'): Promise<WebhookDeliveryBody> {
    const delivery = await until(
      `webhook about payment ${paymentId}`,
      async () => this.#deliveries.find((each) => each.body.includes(paymentId)) ?? null,
      // A failed attempt is retried after a minute.
      { timeoutMs: 120_000 },
    );
    check('the webhook is signed over its raw body', this.#isSigned(delivery));
    const body = JSON.parse(delivery.body.toString()) as WebhookDeliveryBody;
    checkEqual('the webhook names the payment', body.event.workflow_id, paymentId);
    checkEqual('the webhook tells how it ended', body.event.status, status);
    return body;
  }

  /** The ids under which deliveries about a payment came. */
  idsOf(paymentId: string): Set<string> {
    const about = this.#deliveries.filter(({ body }) => body.includes(paymentId));
    return new Set(
      about.map(({ body }) => (JSON.parse(body.toString()) as WebhookDeliveryBody).id),
    );
  }

  /** Statuses in the deliveries about a payment, once per id. */
  statusesOf(paymentId: string): string[] {
    const about = this.#deliveries.filter(({ body }) => body.includes(paymentId));
    const said = about.map(({ body }) => JSON.parse(body.toString()) as WebhookDeliveryBody);
    return [...new Map(said.map(({ id, event }) => [id, event.status])).values()];
  }

  async close(): Promise<void> {
    try {
      await this.#api.delete('/orgs/webhooks', { label: this.#label });
    } finally {
      this.#server.close();
      this.#server.closeAllConnections();
    }
  }

  #isSigned({ headers, body }: Delivery): boolean {
    const expected = Buffer.from(
      `v1=0x${createHmac('sha256', this.#secret).update(body).digest('hex')}`,
    );
    return String(headers['x-service-signature'])
      .split(',')
      .map((entry) => Buffer.from(entry.trim()))
      .some((entry) => entry.length === expected.length && timingSafeEqual(entry, expected));
  }
}

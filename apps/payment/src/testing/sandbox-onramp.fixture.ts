import { parseTokenIdentifier } from '@bascule/contracts';
import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturedRequest, CapturingServer } from '@bascule/testing';
import { createHmac } from 'node:crypto';
import { USDC } from './a-quote.fixture.js';

const SECRET = 'callback-secret';

export interface SimulatedOrder {
  status: string;
  paid_at?: string;
  failure_reason?: string;
}

/** Fake sandbox provider whose orders a test controls. */
export class SimulatedOnramp {
  private readonly orders = new Map<string, Record<string, unknown>>();
  /** Status of every answer, when set. */
  outage: number | null = null;
  /** Answers about orders instead of their state, when set. */
  misbehaves: (() => CannedResponse | Promise<CannedResponse>) | null = null;

  private constructor(
    readonly server: CapturingServer,
    private readonly name: string,
  ) {}

  static async start(name = 'swiftramp'): Promise<SimulatedOnramp> {
    const simulated: { onramp?: SimulatedOnramp } = {};
    const server = await startCapturingServer((request) => {
      const { misbehaves } = simulated.onramp ?? {};
      if (misbehaves && request.path.startsWith('/v1/orders/')) return misbehaves();
      const { status, body } = simulated.onramp?.answer(request) ?? { status: 503, body: {} };
      return { status, body: JSON.stringify(body) };
    });
    simulated.onramp = new SimulatedOnramp(server, name);
    return simulated.onramp;
  }

  /** `PROVIDERS` for the service under test. */
  get env(): string {
    return JSON.stringify([this.config]);
  }

  /** Entry of the provider in `PROVIDERS`. */
  get config(): object {
    const provider = { name: this.name, adapter: 'sandbox', api_key: 'key' };
    return { ...provider, base_url: this.server.url, callback_secret: SECRET, timeout_ms: 2_000 };
  }

  polls(): CapturedRequest[] {
    return this.server.requests.filter(({ path }) => path.startsWith('/v1/orders/'));
  }

  checkoutsOf(paymentId: string): CapturedRequest[] {
    return this.server.requests.filter(
      ({ path, body }) => path === '/v1/checkouts' && body.toString().includes(paymentId),
    );
  }

  orderOf(paymentId: string): Record<string, unknown> | undefined {
    return this.orders.get(paymentId);
  }

  update(paymentId: string, order: SimulatedOrder & Record<string, unknown>): void {
    this.orders.set(paymentId, { ...this.orders.get(paymentId), ...order });
  }

  /** A callback as the provider sends it. */
  callback(paymentId: string, id: string): { headers: Record<string, string>; body: string } {
    const body = JSON.stringify({ id, data: { order: { partner_order_id: paymentId } } });
    const time = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', SECRET).update(`${time}.${body}`).digest('hex');
    return { headers: { 'sandbox-signature': `t=${time},v1=${signature}` }, body };
  }

  private answer({ method, path, body }: CapturedRequest): { status: number; body: unknown } {
    if (this.outage !== null) return { status: this.outage, body: {} };
    if (method === 'POST' && path === '/v1/checkouts') return this.open(body);
    const order = this.orders.get(path.replace('/v1/orders/', ''));
    return order === undefined ? { status: 404, body: {} } : { status: 200, body: { order } };
  }

  private open(body: Buffer): { status: number; body: unknown } {
    const request = JSON.parse(body.toString()) as Record<string, unknown>;
    const id = String(request['partner_order_id']);
    const { chain, address } = parseTokenIdentifier(USDC);
    const order = this.orders.get(id) ?? {
      ...request,
      id: `order-${id}`,
      status: 'open',
      network: chain,
      contract: address,
    };
    this.orders.set(id, order);
    const checkout_url = `${this.server.url}/pay/${id}`;
    const expires_at = new Date(Date.now() + 1_800_000).toISOString();
    return { status: 201, body: { order, checkout_url, expires_at } };
  }
}

import { startCapturingServer } from '@bascule/testing';
import type { CannedResponse, CapturedRequest, CapturingServer } from '@bascule/testing';
import { createHmac } from 'node:crypto';

const PATHS = {
  token: '/partners/api/v2/refresh-token',
  session: '/api/v2/auth/session',
  orders: '/partners/api/v2/orders',
};
const DAY_SECONDS = 86_400;

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Fake of a provider with access tokens, of which the newest one is valid and signs callbacks: Transak. */
export class AccessTokenOnramp {
  private token: string | undefined;
  private tokens = 0;

  private constructor(readonly server: CapturingServer) {}

  static async start(): Promise<AccessTokenOnramp> {
    const started: { onramp?: AccessTokenOnramp } = {};
    const server = await startCapturingServer((request) => started.onramp?.answer(request) ?? {});
    started.onramp = new AccessTokenOnramp(server);
    return started.onramp;
  }

  /** `PROVIDERS` for the service under test. */
  get env(): string {
    const { url } = this.server;
    const hosts = { base_url: url, gateway_url: url, checkout_url: url };
    const keys = { api_key: 'key', api_secret: 'secret' };
    const others = { referrer_domain: 'pay.example', timeout_ms: 2_000 };
    return JSON.stringify([
      { name: 'tokenramp', adapter: 'transak', ...hosts, ...keys, ...others },
    ]);
  }

  requestsFor(path: keyof typeof PATHS): CapturedRequest[] {
    return this.server.requests.filter((request) => request.path.startsWith(PATHS[path]));
  }

  /** Ends the token of the service, as another deployment with the same keys does. */
  revoke(): void {
    this.token = 'of another deployment';
  }

  /** A callback as the provider sends it now, or as a stranger does. */
  callback(paymentId: string, key = this.token ?? ''): string {
    const webhookData = { id: 'order-1', status: 'PROCESSING', partnerOrderId: paymentId };
    const claims = { webhookData, eventID: 'ORDER_PROCESSING' };
    const signed = `${part({ alg: 'HS256' })}.${part(claims)}`;
    const signature = createHmac('sha256', key).update(signed).digest('base64url');
    return JSON.stringify({ data: `${signed}.${signature}` });
  }

  private answer({ path, headers }: CapturedRequest): CannedResponse {
    if (path === PATHS.token) return json({ data: this.issue() });
    if (headers['access-token'] !== this.token) {
      return json({ error: { message: 'Access token is not valid' } }, 401);
    }
    if (path === PATHS.session) {
      return json({ data: { widgetUrl: `${this.server.url}/?sessionId=1` } });
    }
    return json({ data: [] });
  }

  private issue(): object {
    this.tokens += 1;
    this.token = `access token ${this.tokens}`;
    const expiresAt = Math.floor(Date.now() / 1_000) + DAY_SECONDS;
    return { accessToken: this.token, expiresAt };
  }
}

const json = (body: object, status = 200): CannedResponse => ({
  status,
  body: JSON.stringify(body),
});

import {
  type AssetState,
  type EventEnvelope,
  type Payment,
  type QuoteState,
  TOPICS,
} from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { startService } from '@bascule/service-host';
import type { RunningService } from '@bascule/service-host';
import { SealedTokens } from '@bascule/sealed-tokens';
import { createServiceDatabase, internalTokens } from '@bascule/testing';
import type { ServiceDatabase } from '@bascule/testing';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { DataSource } from 'typeorm';
import { paymentService } from '../index.js';
import { parsePaymentConfig } from '../config/payment.config.js';
import { DESTINATION, OWNER } from './a-payment.fixture.js';
import { fastPaymentService } from './fast-service.fixture.js';
import { aPlan, aQuote, aQuoteState, DECIMALS, ORG_ID } from './a-quote.fixture.js';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  body: Body;
  headers: Headers;
}

interface RequestOptions {
  method?: string;
  body?: unknown;
  caller?: Partial<Caller>;
  headers?: Record<string, string>;
  /** Another process of the service. */
  at?: string;
}

/** The real service on a database of its own, with a client. */
export class PaymentServiceClient {
  private readonly tokens = internalTokens();
  private sealingKeys = [aSealingKey('k1')];
  sealed = new SealedTokens(this.sealingKeys);
  private running: RunningService | undefined;

  private constructor(
    readonly database: ServiceDatabase,
    readonly admin: DataSource,
    private readonly overrides: Record<string, string>,
    private readonly definition: typeof fastPaymentService,
  ) {}

  static async start(
    overrides: Record<string, string> = {},
    definition = fastPaymentService,
  ): Promise<PaymentServiceClient> {
    const database = await createServiceDatabase('payment');
    const admin = new DataSource({
      type: 'postgres',
      url: database.adminUrl,
      extra: { options: '-c search_path=payment' },
    });
    const client = new PaymentServiceClient(
      ...([database, await admin.initialize()] as const),
      overrides,
      definition,
    );
    await paymentService.migrate?.(parsePaymentConfig(client.env));
    await client.listAssets();
    await client.boot();
    return client;
  }

  /** Public key with which the gateway verifies links. */
  get fundingPublicKey(): KeyObject {
    return fundingKeys.publicKey;
  }

  get service(): RunningService {
    if (this.running === undefined) throw new Error('the service does not run');
    return this.running;
  }

  get env(): NodeJS.ProcessEnv {
    return {
      ...this.tokens.env,
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATABASE_URL: this.database.database.url,
      CHAINS: 'alphanet',
      // No server: only owner checks call a chain.
      RPC_URLS_ALPHANET: 'http://127.0.0.1:9',
      STATE_TOKEN_KEYS: JSON.stringify(this.sealingKeys),
      PROVIDERS: '[]',
      EXECUTOR_PRIVATE_KEY: `0x${'1'.repeat(64)}`,
      FUNDING_TOKEN_PRIVATE_KEY: fundingKey,
      FUNDING_PAGE_BASE: 'https://pay.example',
      // Spares each test file the memory of the default database.
      GEOIP_DB: 'none',
      ...this.overrides,
    };
  }

  async boot(): Promise<void> {
    this.running = await startService(this.definition, this.env);
  }

  /** Starts another process of the service, which the caller stops. */
  startAnother(overrides: NodeJS.ProcessEnv = {}): Promise<RunningService> {
    return startService(this.definition, { ...this.env, ...overrides });
  }

  /** Restarts the service with a new key for sealing; the old one still opens. */
  async rotateKeys(): Promise<void> {
    await this.running?.shutdown({ graceMs: 0 });
    this.sealingKeys = [aSealingKey(`k${this.sealingKeys.length + 1}`), ...this.sealingKeys];
    this.sealed = new SealedTokens(this.sealingKeys);
    await this.boot();
  }

  async stop(): Promise<void> {
    await this.running?.shutdown({ graceMs: 0 });
    await this.admin.destroy();
    await this.database.drop();
  }

  async request<Body = Record<string, unknown>>(
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<Body>> {
    const response = await this.send(path, options);
    const text = await response.text();
    const parsed = (text === '' ? {} : JSON.parse(text)) as Body;
    return { status: response.status, body: parsed, headers: response.headers };
  }

  /** A page as a browser gets it. */
  async fetchPage(
    path: string,
    caller: Partial<Caller>,
  ): Promise<{ status: number; text: string; headers: Headers }> {
    const response = await this.send(path, { caller });
    return { status: response.status, text: await response.text(), headers: response.headers };
  }

  private async send(
    path: string,
    { method = 'GET', body, caller, headers, at = this.service.url }: RequestOptions,
  ): Promise<Response> {
    const token = await this.tokens.token({
      orgId: ORG_ID,
      permissions: ['payments:read', 'payments:write'],
      ...caller,
    });
    return fetch(`${at}${path}`, {
      method,
      redirect: 'manual',
      headers: { [INTERNAL_TOKEN_HEADER]: token, 'content-type': 'application/json', ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  }

  async registerRedirectOrigins(origins: readonly string[]): Promise<void> {
    await this.admin.query(
      `INSERT INTO organisations (id, version, redirect_origins) VALUES ($1, 1, $2)`,
      [ORG_ID, JSON.stringify(origins)],
    );
  }

  seal(state: QuoteState): Promise<string> {
    return this.sealed.seal('quote', state, new Date(state.accept_by));
  }

  /** Body that confirms a quote with any owner. */
  async aConfirmation(
    overrides: Record<string, unknown> = {},
    state: QuoteState = aQuoteState({ quotes: [{ quote: aQuote(), plan: aPlan() }] }),
  ): Promise<Record<string, unknown>> {
    return {
      payment_id: state.quotes[0]?.quote.payment_id,
      state_token: await this.seal(state),
      owner_address: OWNER,
      destination_address: DESTINATION,
      allow_unsafe_owner: true,
      ...overrides,
    };
  }

  confirm(body: unknown, caller: Partial<Caller> = {}): Promise<Answer<Payment>> {
    return this.request<Payment>('/payments/confirm', { method: 'POST', body, caller });
  }

  async confirmed(overrides: Record<string, unknown> = {}, state?: QuoteState): Promise<Payment> {
    const { status, body } = await this.confirm(await this.aConfirmation(overrides, state));
    if (status !== 200) throw new Error(`not confirmed: ${JSON.stringify(body)}`);
    return body;
  }

  async status(paymentId: string, query = ''): Promise<Payment> {
    return (await this.request<Payment>(`/payments?payment_id=${paymentId}${query}`)).body;
  }

  async events<Data>(paymentId: string): Promise<EventEnvelope<string, Data>[]> {
    const rows: { value: Buffer }[] = await this.admin.query(
      `SELECT value FROM event_log.records WHERE topic = 'bascule.payment' AND key = $1
       ORDER BY "offset"`,
      [paymentId],
    );
    return rows.map(({ value }) => JSON.parse(value.toString()) as EventEnvelope<string, Data>);
  }

  private async listAssets(): Promise<void> {
    for (const [id, decimals] of Object.entries(DECIMALS)) {
      const asset: Partial<AssetState['asset']> = { symbol: id, decimals };
      await this.admin.query(
        `INSERT INTO assets (id, version, chain, decimals, asset, listed)
         VALUES ($1, 1, 'alphanet', $2, $3, true)`,
        [id, decimals, JSON.stringify(asset)],
      );
    }
    // The first build of a projection would remove rows without events; confirms wait for that of the switches.
    await this.admin.query(
      `INSERT INTO projection_state (topic, tables, built_at)
       VALUES ($1, '{assets}', now()), ($2, '{prices}', now()), ($3, '{switches}', now())`,
      [TOPICS.catalogue.name, TOPICS.price.name, TOPICS.switches.name],
    );
  }
}

const aSealingKey = (kid: string) => ({ kid, k: randomBytes(32).toString('base64url') });
const fundingKeys = generateKeyPairSync('ed25519');
const fundingKey = JSON.stringify({
  ...fundingKeys.privateKey.export({ format: 'jwk' }),
  kid: 'funding-1',
});

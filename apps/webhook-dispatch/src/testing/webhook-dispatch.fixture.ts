import {
  type PaymentEvent,
  type Permission,
  TOPICS,
  type WebhookCreated,
} from '@bascule/contracts';
import { INTERNAL_TOKEN_HEADER, type Caller } from '@bascule/identity';
import { startService, type RunningService } from '@bascule/service-host';
import { createEnvelope, TRANSPORT, type Transport } from '@bascule/messaging';
import {
  createServiceDatabase,
  internalTokens,
  startCapturingServer,
  type CannedResponse,
  type CapturingServer,
  type ServiceDatabase,
} from '@bascule/testing';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { webhookDispatchService } from '../index.js';

const ENVIRONMENT = 'test';
export const BOTH = ['WORKFLOW_COMPLETED', 'WORKFLOW_FAILED'];
const SECRET_KEYS = [{ kid: 'a', k: Buffer.alloc(32, 7).toString('base64url') }];
const tokens = internalTokens();

export interface Answer<T> {
  status: number;
  /** Header `Idempotency-Replayed`. */
  replayed?: string;
  body: T;
}

interface Call {
  /** Path after `/orgs/webhooks`. */
  path?: string;
  orgId?: string;
  body?: unknown;
  query?: string;
  caller?: Partial<Caller>;
  headers?: Record<string, string>;
  /** Another process of the service. */
  at?: string;
}

interface DeliveryState {
  id: string;
  status: string;
  attempts: number;
}

interface AttemptState {
  delivery_id: string;
  number: number;
  outcome: string;
  status_code: number | null;
  url: string | null;
}

type Respond = (index: number) => CannedResponse | Promise<CannedResponse>;

/** Running service with its caller and its receivers. */
export interface DispatcherFixture {
  running: () => RunningService;
  /** Another process of the service. */
  startAnother: () => Promise<RunningService>;
  call: <T>(method: 'POST' | 'GET' | 'DELETE' | 'PATCH', options?: Call) => Promise<Answer<T>>;
  receiver: (respond?: Respond) => Promise<CapturingServer>;
  register: (orgId: string, url: string, extra?: object) => Promise<WebhookCreated>;
  publish: (...events: PaymentEvent[]) => Promise<void>;
  query: <T = unknown>(sql: string, parameters?: unknown[]) => Promise<T[]>;
  deliveriesOf: (webhookId: string) => Promise<DeliveryState[]>;
  attemptsOf: (webhookId: string) => Promise<AttemptState[]>;
  makeDue: (webhookId: string) => Promise<unknown>;
  /** Environment of another process of the service. */
  environment: () => NodeJS.ProcessEnv;
  databaseUrl: () => string;
  secretKeys: string;
}

/** Starts the service for the tests of a file, on a database of its own. */
export function useDispatcher(settings: Record<string, string> = {}): DispatcherFixture {
  let database: ServiceDatabase;
  let service: RunningService | undefined;
  const receivers: CapturingServer[] = [];
  const running = (): RunningService => {
    if (service === undefined) throw new Error('not started');
    return service;
  };
  const env = (): NodeJS.ProcessEnv => ({
    ...tokens.env,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'silent',
    ENVIRONMENT,
    DATABASE_URL: database.database.url,
    WEBHOOK_SECRET_KEYS: JSON.stringify(SECRET_KEYS),
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    // Longer than the delays of a busy machine, which also runs the receiver.
    WEBHOOK_ACK_TIMEOUT_MS: '10000',
    ...settings,
  });
  const startAnother = (): Promise<RunningService> => startService(webhookDispatchService, env());

  beforeAll(async () => {
    database = await createServiceDatabase('webhook_dispatch');
    await webhookDispatchService.migrate?.(webhookDispatchService.parseConfig(env()));
    service = await startAnother();
  });
  afterEach(async () => {
    await Promise.all(receivers.splice(0).map((receiver) => receiver.stop()));
  });
  afterAll(async () => {
    await service?.shutdown({ graceMs: 0 });
    await database.drop();
  });

  async function call<T>(
    method: 'POST' | 'GET' | 'DELETE' | 'PATCH',
    options: Call = {},
  ): Promise<Answer<T>> {
    const permissions: Permission[] = ['webhooks'];
    const token = await tokens.token({
      permissions,
      ...(options.orgId && { orgId: options.orgId }),
      ...options.caller,
    });
    const hasBody = options.body !== undefined;
    const response = await fetch(
      `${options.at ?? running().url}/orgs/webhooks${options.path ?? ''}${options.query ?? ''}`,
      {
        method,
        headers: {
          [INTERNAL_TOKEN_HEADER]: token,
          ...(hasBody && { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(hasBody && { body: JSON.stringify(options.body) }),
      },
    );
    const text = await response.text();
    const replayed = response.headers.get('idempotency-replayed');
    return {
      ...(replayed !== null && { replayed }),
      status: response.status,
      body: (text === '' ? null : JSON.parse(text)) as T,
    };
  }

  async function receiver(respond: Respond = () => ({})): Promise<CapturingServer> {
    const created = await startCapturingServer((_, index) => respond(index));
    receivers.push(created);
    return created;
  }

  const register = async (
    orgId: string,
    url: string,
    extra: object = {},
  ): Promise<WebhookCreated> => {
    const { status, body } = await call<WebhookCreated>('POST', {
      orgId,
      body: { url, label: uuidv7(), event_types: BOTH, ...extra },
    });
    expect(status).toBe(200);
    return body;
  };

  const publish = (...events: PaymentEvent[]): Promise<void> =>
    running()
      .app.get<Transport>(TRANSPORT)
      .publish(
        events.map((event) => ({
          topic: TOPICS.payment.name,
          key: event.subject,
          headers: {},
          value: Buffer.from(JSON.stringify(event)),
        })),
      );

  const query: DispatcherFixture['query'] = (sql, parameters) =>
    running().app.get(DataSource).query(sql, parameters);

  const deliveriesOf: DispatcherFixture['deliveriesOf'] = (webhookId) =>
    query(
      `SELECT l.id, l.status, coalesce(d.earlier_attempts + d.attempts, l.attempts) AS attempts
       FROM webhook_delivery_log l LEFT JOIN webhook_deliveries d ON d.id = l.id
       WHERE l.webhook_id = $1 ORDER BY l.created_at, l.id`,
      [webhookId],
    );

  const attemptsOf: DispatcherFixture['attemptsOf'] = (webhookId) =>
    query(
      `SELECT a.delivery_id, a.number, a.outcome, a.status_code, a.url FROM webhook_attempts a
       WHERE a.delivery_id IN (SELECT id FROM webhook_delivery_log WHERE webhook_id = $1)
       ORDER BY a.delivery_id, a.number`,
      [webhookId],
    );

  const makeDue = (webhookId: string): Promise<unknown> =>
    query(
      'UPDATE webhook_deliveries SET due_at = now() WHERE webhook_id = $1 AND claimed_at IS NULL',
      [webhookId],
    );

  return {
    running,
    startAnother,
    call,
    receiver,
    register,
    publish,
    query,
    deliveriesOf,
    attemptsOf,
    makeDue,
    environment: env,
    databaseUrl: () => database.database.url,
    secretKeys: JSON.stringify(SECRET_KEYS),
  };
}

/** Builds an event of a payment with this status. */
export function paymentEvent(
  orgId: string,
  payment: { status: string; id?: string; at?: Date; version?: number },
): PaymentEvent {
  const id = payment.id ?? uuidv7();
  const version = payment.version ?? 2;
  return createEnvelope(
    {
      topic: TOPICS.payment,
      type: payment.status === 'FAILED' ? 'payment.failed' : 'payment.completed',
      key: id,
      data: {
        version,
        payment: {
          payment_id: id,
          org_id: orgId,
          status: payment.status,
          completed_at: (payment.at ?? new Date(Date.now() + 1_000)).toISOString(),
        },
      },
    },
    { source: 'payment', environment: ENVIRONMENT },
  ) as PaymentEvent;
}

/** Enqueues this many due deliveries to each of these webhooks, without events. */
export async function enqueueMany(
  query: DispatcherFixture['query'],
  webhookIds: readonly string[],
  each: number,
): Promise<void> {
  const deliveries = webhookIds.flatMap((webhookId) =>
    Array.from({ length: each }, () => ({ webhookId, id: uuidv7(), workflowId: uuidv7() })),
  );
  await query(
    `INSERT INTO webhook_deliveries (id, webhook_id, workflow_id, event_type, body, status, due_at)
     SELECT d.id, d.webhook_id, d.workflow_id, 'WORKFLOW_COMPLETED',
       convert_to('{"id":"' || d.id || '"}', 'UTF8'), 'PENDING', now()
     FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS d (id, webhook_id, workflow_id)`,
    [
      deliveries.map(({ id }) => id),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ workflowId }) => workflowId),
    ],
  );
}

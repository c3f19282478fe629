import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { httpEnv, type HttpConfig } from '@bascule/service-host';
import {
  eventEnv,
  INBOX_RETENTION_DAYS,
  parseKafkaConfig,
  type EventConfig,
  type KafkaConfig,
} from '@bascule/messaging';
import { databaseConfig, databaseEnv, type DatabaseConfig } from '@bascule/persistence';
import {
  bool,
  collectProblems,
  integer,
  milliseconds,
  parseConfig,
  freezeConfig,
  type Reloadable,
} from '@bascule/process';
import { type SealingKey, sealingKeys } from '@bascule/sealed-tokens';
import { userAgentOf } from '../rules/request-headers.js';

// Resolved by name, since this code also runs from a bundle.
const require = createRequire(import.meta.url);

/** Variables that only deliveries depend on. */
const deliveryEnv = {
  WEBHOOK_ACK_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'timeout of the answer of a receiver',
  }),
  WEBHOOK_CONCURRENCY: integer({
    min: 1,
    default: 256,
    desc: 'deliveries in flight',
  }),
  WEBHOOK_CONCURRENCY_PER_WEBHOOK: integer({
    min: 1,
    default: 16,
    desc: 'of these, to one webhook',
  }),
  WEBHOOK_CONCURRENCY_PER_HOST: integer({ min: 1, default: 32, desc: 'of these, to one host' }),
  WEBHOOK_CONCURRENCY_PER_ORGANISATION: integer({
    min: 1,
    default: 64,
    desc: 'of these, of one organisation',
  }),
  WEBHOOK_CIRCUIT_FAILURES: integer({
    min: 1,
    default: 10,
    desc: 'consecutive failures that open the circuit of a webhook',
  }),
  WEBHOOK_CIRCUIT_COOL_DOWN_MS: milliseconds({
    min: 1,
    default: 30_000,
    desc: 'first cool-down of a circuit; doubled each time, to ten times this',
  }),
  WEBHOOK_BACKLOG_PER_SECOND: integer({
    min: 1,
    default: 20,
    desc: 'rate at which a recovering receiver gets its backlog',
  }),
  MAX_WEBHOOKS_PER_ORGANISATION: integer({
    min: 1,
    max: 1_000,
    default: 50,
    desc: 'webhooks of one organisation: its list has no pages, and each event adds a delivery to each',
  }),
  WEBHOOK_RETENTION_DAYS: integer({
    min: 30,
    max: INBOX_RETENTION_DAYS,
    default: 90,
    desc: 'retention of deliveries and attempts: at most that of the events that made them',
  }),
};

const webhookDispatchEnv = {
  ...httpEnv,
  ...databaseEnv,
  ...eventEnv,
  EVENT_CONCURRENCY: integer({
    min: 1,
    default: 128,
    desc: 'events handled concurrently; they share transactions',
  }),
  WEBHOOK_SECRET_KEYS: sealingKeys(
    'keys that encrypt signing secrets and auth headers at rest, JSON; the first one encrypts',
  ),
  WEBHOOK_ALLOW_LOOPBACK: bool({
    default: false,
    desc: 'development only: also deliver to http(s)://127.0.0.1 and localhost, on any port',
  }),
  ...deliveryEnv,
};

export interface WebhookDispatchConfig extends HttpConfig, EventConfig {
  readonly database: DatabaseConfig;
  readonly kafka: KafkaConfig | undefined;
  readonly secretKeys: Reloadable<readonly SealingKey[]>;
  readonly allowLoopback: boolean;
  readonly acknowledgeWithinMs: number;
  readonly concurrency: number;
  readonly concurrencyPerWebhook: number;
  readonly concurrencyPerHost: number;
  readonly concurrencyPerOrganisation: number;
  readonly circuitFailures: number;
  readonly circuitCoolDownMs: number;
  readonly backlogPerSecond: number;
  readonly maxWebhooksPerOrganisation: number;
  readonly retentionDays: number;
  readonly userAgent: string;
}

export const WEBHOOK_DISPATCH_CONFIG = Symbol('WEBHOOK_DISPATCH_CONFIG');
export const WEBHOOK_DISPATCH_SCHEMA = 'webhook_dispatch';

/** @throws ConfigurationError with every problem of the environment */
export function parseWebhookDispatchConfig(env: NodeJS.ProcessEnv): WebhookDispatchConfig {
  const { own, kafka } = collectProblems({
    own: () => parseConfig(env, webhookDispatchEnv),
    kafka: () => parseKafkaConfig(env),
  });
  return freezeConfig(own, {
    ...own,
    database: databaseConfig(own, WEBHOOK_DISPATCH_SCHEMA),
    kafka,
    secretKeys: own.WEBHOOK_SECRET_KEYS,
    allowLoopback: own.WEBHOOK_ALLOW_LOOPBACK,
    acknowledgeWithinMs: own.WEBHOOK_ACK_TIMEOUT_MS,
    concurrency: own.WEBHOOK_CONCURRENCY,
    concurrencyPerWebhook: own.WEBHOOK_CONCURRENCY_PER_WEBHOOK,
    concurrencyPerHost: own.WEBHOOK_CONCURRENCY_PER_HOST,
    concurrencyPerOrganisation: own.WEBHOOK_CONCURRENCY_PER_ORGANISATION,
    circuitFailures: own.WEBHOOK_CIRCUIT_FAILURES,
    circuitCoolDownMs: own.WEBHOOK_CIRCUIT_COOL_DOWN_MS,
    backlogPerSecond: own.WEBHOOK_BACKLOG_PER_SECOND,
    maxWebhooksPerOrganisation: own.MAX_WEBHOOKS_PER_ORGANISATION,
    retentionDays: own.WEBHOOK_RETENTION_DAYS,
    userAgent: userAgentOf(versionOfPackage()),
  });
}

function versionOfPackage(): string {
  const text = readFileSync(require.resolve('@bascule/webhook-dispatch/package.json'), 'utf8');
  const manifest: unknown = JSON.parse(text);
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : '0';
}

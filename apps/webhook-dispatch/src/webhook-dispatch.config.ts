import { httpEnv, type HttpConfig } from '@bascule/http';
import { databaseConfig, databaseEnv, type DatabaseConfig } from '@bascule/persistence';
import { bool, integer, milliseconds, parseConfig, printedAs } from '@bascule/process';
import { type SealingKey, sealingKeys } from '@bascule/sealed-tokens';

const webhookDispatchEnv = {
  ...httpEnv,
  ...databaseEnv,
  WEBHOOK_SECRET_KEYS: sealingKeys(
    'keys that encrypt signing secrets and auth headers at rest, JSON; the first one encrypts',
  ),
  WEBHOOK_ALLOW_LOOPBACK: bool({
    default: false,
    desc: 'development only: also deliver to http(s)://127.0.0.1 and localhost, on any port',
  }),
  WEBHOOK_ACK_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 10_000,
    desc: 'how long a receiver may take to answer',
  }),
  WEBHOOK_CONCURRENCY: integer({
    min: 1,
    default: 32,
    desc: 'deliveries under way at the same time',
  }),
};

export interface WebhookDispatchConfig extends HttpConfig {
  readonly database: DatabaseConfig;
  readonly secretKeys: readonly SealingKey[];
  readonly allowLoopback: boolean;
  readonly acknowledgeWithinMs: number;
  readonly concurrency: number;
}

export const WEBHOOK_DISPATCH_CONFIG = Symbol('WEBHOOK_DISPATCH_CONFIG');
export const WEBHOOK_DISPATCH_SCHEMA = 'webhook_dispatch';

/** @throws ConfigurationError with every problem of the environment */
export function parseWebhookDispatchConfig(env: NodeJS.ProcessEnv): WebhookDispatchConfig {
  const own = parseConfig(env, webhookDispatchEnv);
  return printedAs(own, {
    ...own,
    database: databaseConfig(own, WEBHOOK_DISPATCH_SCHEMA),
    secretKeys: own.WEBHOOK_SECRET_KEYS,
    allowLoopback: own.WEBHOOK_ALLOW_LOOPBACK,
    acknowledgeWithinMs: own.WEBHOOK_ACK_TIMEOUT_MS,
    concurrency: own.WEBHOOK_CONCURRENCY,
  });
}

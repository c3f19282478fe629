import { privateKey, publicKeys } from '@bascule/identity';
import type { PrivateKey, PublicKeys } from '@bascule/identity';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { parseKafkaConfig, type KafkaConfig } from '@bascule/messaging';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import {
  collectProblems,
  integer,
  list,
  milliseconds,
  parseConfig,
  pem,
  freezeConfig,
  reloadable,
  sensitive,
  url,
} from '@bascule/process';
import type { Reloadable } from '@bascule/process';
import type { ServiceName } from '../routing/route-table.js';

export const GATEWAY_SCHEMA = 'gateway';

/** Full limits of keys that fit under the ceiling of their organisation by default. */
const KEYS_PER_ORGANISATION = 4;

const MIB = 2 ** 20;

const upstream = (service: string) => url({ desc: `base URL of the ${service} service` });

const gatewayEnv = {
  ...serverEnv,
  ...databaseEnv,
  INTERNAL_TOKEN_PRIVATE_KEY: privateKey('Ed25519 JWK that signs internal tokens'),
  FUNDING_TOKEN_PUBLIC_KEYS: publicKeys("JWKS of the payment service's funding tokens"),
  QUOTE_URL: upstream('quote'),
  PAYMENT_URL: upstream('payment'),
  WITHDRAWAL_URL: upstream('withdrawal'),
  CATALOGUE_URL: upstream('catalogue'),
  WEBHOOK_DISPATCH_URL: upstream('webhook-dispatch'),
  UPSTREAM_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 30_000,
    desc: 'time limit of a response from a service',
  }),
  UPSTREAM_LONG_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 320_000,
    desc: 'time limit on routes whose client may wait 300 s',
  }),
  CLIENT_READ_MS: milliseconds({
    min: 1,
    default: 30_000,
    desc: 'time for a client to read its response; then its connection and the exchange with the service end',
  }),
  UPSTREAM_CONNECTIONS: integer({
    min: 1,
    default: 128,
    desc: 'connections per service, and as many more for routes whose client may wait 300 s',
  }),
  UPSTREAM_QUEUE: integer({
    min: 0,
    default: 128,
    desc: 'requests that wait for a connection to a service, and as many more for the long routes; more are 503',
  }),
  UPSTREAM_QUEUE_MS: milliseconds({
    min: 1,
    default: 5_000,
    desc: 'longest wait for a connection, counted from the arrival of the request; then it is 503',
  }),
  REQUEST_BODIES_BYTES: integer({
    min: MIB,
    default: 64 * MIB,
    desc: 'bytes of request bodies that arrive or wait for their answer at a time; more requests with a body are 503',
  }),
  UPSTREAM_IDLE_MS: milliseconds({
    min: 1,
    default: 2_000,
    desc: 'idle timeout of connections to services; shorter than their SHUTDOWN_GRACE_MS',
  }),
  ANSWERS_KEPT_MS: milliseconds({
    min: 0,
    default: 1_000,
    desc: 'lifetime of a cached response for the same key',
  }),
  CORS_ORIGINS: list({ default: ['*'], desc: 'allowed origins of browsers' }),
  TRUSTED_HOPS: integer({
    min: 0,
    default: 0,
    desc: 'number of proxies before the gateway that set x-forwarded-for',
  }),
  RATE_LIMIT_REQUESTS: integer({
    min: 1,
    default: 30_000,
    desc: 'units per API key and window',
  }),
  RATE_LIMIT_CLIENT_REQUESTS: integer({
    min: 1,
    default: 3_000,
    desc: 'units per client address and window with one publishable key',
  }),
  RATE_LIMIT_ORGANISATION_REQUESTS: integer({
    min: 1,
    default: undefined,
    desc: 'units per organisation and window; four times RATE_LIMIT_REQUESTS unless set',
  }),
  RATE_LIMIT_WINDOW_SECONDS: integer({ min: 1, default: 60, desc: 'length of a window' }),
  RATE_LIMIT_KEYLESS_REQUESTS: integer({
    min: 1,
    default: 6_000,
    desc: 'requests without a valid key per client address and window',
  }),
  MAX_QUOTES_PER_SECOND: integer({
    min: 1,
    default: 100,
    desc: 'requests for quotes of an organisation in a second, where an operator set no other quota; 3 or more have shares',
  }),
  RATE_LIMIT_REPLICAS: integer({
    min: 1,
    default: 1,
    desc: 'replicas that share a limit while Redis is unavailable',
  }),
  REDIS_URL: reloadable(
    sensitive(
      url({
        default: undefined,
        desc: 'Redis that shares rate limits among replicas; rediss:// for TLS',
      }),
    ),
  ),
  REDIS_TLS_CA: pem({
    default: undefined,
    desc: 'PEM of a private certificate authority of Redis',
  }),
};

export interface RedisConfig {
  readonly url: Reloadable<string>;
  /** PEM; undefined for public certificate authorities. */
  readonly tlsCa: string | undefined;
}

export interface RateLimitConfig {
  /** Units of an API key. */
  readonly requests: number;
  /** Units of a client address with one publishable key. */
  readonly clientRequests: number;
  /** Units of all keys of an organisation. */
  readonly organisationRequests: number;
  /** Requests without a known API key per client address. */
  readonly keylessRequests: number;
  readonly windowSeconds: number;
  readonly replicas: number;
  readonly redis: RedisConfig | undefined;
}

export interface GatewayConfig extends HttpConfig {
  /** Requests for quotes of an organisation in a second, where an operator set no other quota. */
  readonly maxQuotesPerSecond: number;
  readonly database: DatabaseConfig;
  /** Absent: the event log in the database. */
  readonly kafka: KafkaConfig | undefined;
  readonly internalTokenKey: Reloadable<PrivateKey>;
  readonly fundingTokenKeys: Reloadable<PublicKeys>;
  readonly upstreams: Readonly<Record<ServiceName, string>>;
  readonly timeouts: Readonly<Record<'normal' | 'long' | 'read', number>>;
  readonly connections: Readonly<{ max: number; idleMs: number }>;
  /** Requests that wait for one of these connections. */
  readonly queue: Readonly<{ max: number; waitMs: number }>;
  /** Bytes of request bodies at a time. */
  readonly requestBodyBytes: number;
  readonly responseCacheMs: number;
  readonly corsOrigins: readonly string[];
  readonly trustedHops: number;
  readonly rateLimit: RateLimitConfig;
}

export const GATEWAY_CONFIG = Symbol('GATEWAY_CONFIG');

/** @throws ConfigurationError with every problem of the environment */
export function parseGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const { own, kafka } = collectProblems({
    own: () => parseConfig(env, gatewayEnv),
    kafka: () => parseKafkaConfig(env),
  });
  const { HOST, PORT, LOG_LEVEL, LOG_REQUESTS, ENVIRONMENT, BODY_LIMIT_BYTES } = own;
  const { OPERATIONS_HOST, OPERATIONS_PORT } = own;
  const { SHUTDOWN_GRACE_MS, SHUTDOWN_DEADLINE_MS, SECRET_FILES_POLL_MS } = own;
  return freezeConfig(own, {
    ...{ HOST, PORT, LOG_LEVEL, LOG_REQUESTS, ENVIRONMENT, BODY_LIMIT_BYTES },
    ...{ OPERATIONS_HOST, OPERATIONS_PORT },
    ...{ SHUTDOWN_GRACE_MS, SHUTDOWN_DEADLINE_MS, SECRET_FILES_POLL_MS },
    database: databaseConfig(own, GATEWAY_SCHEMA),
    kafka,
    internalTokenKey: own.INTERNAL_TOKEN_PRIVATE_KEY,
    fundingTokenKeys: own.FUNDING_TOKEN_PUBLIC_KEYS,
    upstreams: {
      quote: own.QUOTE_URL,
      payment: own.PAYMENT_URL,
      withdrawal: own.WITHDRAWAL_URL,
      catalogue: own.CATALOGUE_URL,
      'webhook-dispatch': own.WEBHOOK_DISPATCH_URL,
    },
    timeouts: {
      normal: own.UPSTREAM_TIMEOUT_MS,
      long: own.UPSTREAM_LONG_TIMEOUT_MS,
      read: own.CLIENT_READ_MS,
    },
    connections: { max: own.UPSTREAM_CONNECTIONS, idleMs: own.UPSTREAM_IDLE_MS },
    queue: { max: own.UPSTREAM_QUEUE, waitMs: own.UPSTREAM_QUEUE_MS },
    requestBodyBytes: own.REQUEST_BODIES_BYTES,
    responseCacheMs: own.ANSWERS_KEPT_MS,
    corsOrigins: own.CORS_ORIGINS,
    trustedHops: own.TRUSTED_HOPS,
    maxQuotesPerSecond: own.MAX_QUOTES_PER_SECOND,
    rateLimit: {
      requests: own.RATE_LIMIT_REQUESTS,
      clientRequests: own.RATE_LIMIT_CLIENT_REQUESTS,
      organisationRequests:
        own.RATE_LIMIT_ORGANISATION_REQUESTS ?? own.RATE_LIMIT_REQUESTS * KEYS_PER_ORGANISATION,
      keylessRequests: own.RATE_LIMIT_KEYLESS_REQUESTS,
      windowSeconds: own.RATE_LIMIT_WINDOW_SECONDS,
      replicas: own.RATE_LIMIT_REPLICAS,
      redis:
        own.REDIS_URL === undefined ? undefined : { url: own.REDIS_URL, tlsCa: own.REDIS_TLS_CA },
    },
  });
}

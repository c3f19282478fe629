import { parsePublicKeys, privateKey } from '@bascule/identity';
import type { PrivateKey, PublicKeys } from '@bascule/identity';
import { serverEnv } from '@bascule/service-host';
import type { HttpConfig } from '@bascule/service-host';
import { databaseConfig, databaseEnv } from '@bascule/persistence';
import type { DatabaseConfig } from '@bascule/persistence';
import {
  integer,
  list,
  makeValidator,
  milliseconds,
  parseConfig,
  pem,
  printedAs,
  sensitive,
  url,
} from '@bascule/process';
import type { ServiceName } from '../routing/route-table.js';

export const GATEWAY_SCHEMA = 'gateway';

const upstream = (service: string) => url({ desc: `base URL of the ${service} service` });

const gatewayEnv = {
  ...serverEnv,
  ...databaseEnv,
  INTERNAL_TOKEN_PRIVATE_KEY: privateKey('Ed25519 JWK that signs internal tokens'),
  FUNDING_TOKEN_PUBLIC_KEYS: makeValidator<PublicKeys>(parsePublicKeys)({
    desc: "JWKS of the payment service's funding tokens",
  }),
  QUOTE_URL: upstream('quote'),
  PAYMENT_URL: upstream('payment'),
  WITHDRAWAL_URL: upstream('withdrawal'),
  CATALOGUE_URL: upstream('catalogue'),
  WEBHOOK_DISPATCH_URL: upstream('webhook-dispatch'),
  UPSTREAM_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 30_000,
    desc: 'how long a service may take to answer',
  }),
  UPSTREAM_LONG_TIMEOUT_MS: milliseconds({
    min: 1,
    default: 320_000,
    desc: 'the same on routes whose client may wait 300 s',
  }),
  UPSTREAM_CONNECTIONS: integer({
    min: 1,
    default: 128,
    desc: 'connections to one service, and as many more for routes whose client may wait 300 s',
  }),
  UPSTREAM_IDLE_MS: milliseconds({
    min: 1,
    default: 60_000,
    desc: 'how long an idle connection to a service is kept; less than the services keep it (72 s)',
  }),
  ANSWERS_KEPT_MS: milliseconds({
    min: 0,
    default: 1_000,
    desc: 'how long a cacheable answer is given again to the same key without asking the service',
  }),
  CORS_ORIGINS: list({ default: ['*'], desc: 'origins that browsers may call from' }),
  TRUSTED_HOPS: integer({
    min: 0,
    default: 0,
    desc: 'proxies before the gateway that set x-forwarded-for',
  }),
  RATE_LIMIT_REQUESTS: integer({
    min: 1,
    default: 6_000,
    desc: 'requests of one API key in a window',
  }),
  RATE_LIMIT_WINDOW_SECONDS: integer({ min: 1, default: 60, desc: 'length of a window' }),
  RATE_LIMIT_KEYLESS_REQUESTS: integer({
    min: 1,
    default: 6_000,
    desc: 'links, callbacks and wrong keys of one client address in a window',
  }),
  RATE_LIMIT_REPLICAS: integer({
    min: 1,
    default: 1,
    desc: 'replicas that share a limit while Redis cannot be reached',
  }),
  REDIS_URL: sensitive(
    url({ default: undefined, desc: 'shares rate limits among replicas; rediss:// for TLS' }),
  ),
  REDIS_TLS_CA: pem({
    default: undefined,
    desc: 'PEM of the authority that signed the certificate of Redis, when it is no public one',
  }),
};

export interface RedisConfig {
  readonly url: string;
  /** PEM; without it the public authorities are trusted. */
  readonly tlsCa: string | undefined;
}

export interface RateLimitConfig {
  readonly requests: number;
  /** Of one client address, for what no API key vouches for. */
  readonly keylessRequests: number;
  readonly windowSeconds: number;
  readonly replicas: number;
  readonly redis: RedisConfig | undefined;
}

export interface GatewayConfig extends HttpConfig {
  readonly database: DatabaseConfig;
  readonly internalTokenKey: PrivateKey;
  readonly fundingTokenKeys: PublicKeys;
  readonly upstreams: Readonly<Record<ServiceName, string>>;
  readonly timeouts: Readonly<Record<'normal' | 'long', number>>;
  readonly connections: Readonly<{ max: number; idleMs: number }>;
  readonly responseCacheMs: number;
  readonly corsOrigins: readonly string[];
  readonly trustedHops: number;
  readonly rateLimit: RateLimitConfig;
}

export const GATEWAY_CONFIG = Symbol('GATEWAY_CONFIG');

/** @throws ConfigurationError with every problem of the environment */
export function parseGatewayConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const own = parseConfig(env, gatewayEnv);
  const { HOST, PORT, LOG_LEVEL, LOG_REQUESTS, ENVIRONMENT, BODY_LIMIT_BYTES } = own;
  const { SHUTDOWN_GRACE_MS, SHUTDOWN_DEADLINE_MS } = own;
  return printedAs(own, {
    ...{ HOST, PORT, LOG_LEVEL, LOG_REQUESTS, ENVIRONMENT, BODY_LIMIT_BYTES },
    ...{ SHUTDOWN_GRACE_MS, SHUTDOWN_DEADLINE_MS },
    database: databaseConfig(own, GATEWAY_SCHEMA),
    internalTokenKey: own.INTERNAL_TOKEN_PRIVATE_KEY,
    fundingTokenKeys: own.FUNDING_TOKEN_PUBLIC_KEYS,
    upstreams: {
      quote: own.QUOTE_URL,
      payment: own.PAYMENT_URL,
      withdrawal: own.WITHDRAWAL_URL,
      catalogue: own.CATALOGUE_URL,
      'webhook-dispatch': own.WEBHOOK_DISPATCH_URL,
    },
    timeouts: { normal: own.UPSTREAM_TIMEOUT_MS, long: own.UPSTREAM_LONG_TIMEOUT_MS },
    connections: { max: own.UPSTREAM_CONNECTIONS, idleMs: own.UPSTREAM_IDLE_MS },
    responseCacheMs: own.ANSWERS_KEPT_MS,
    corsOrigins: own.CORS_ORIGINS,
    trustedHops: own.TRUSTED_HOPS,
    rateLimit: {
      requests: own.RATE_LIMIT_REQUESTS,
      keylessRequests: own.RATE_LIMIT_KEYLESS_REQUESTS,
      windowSeconds: own.RATE_LIMIT_WINDOW_SECONDS,
      replicas: own.RATE_LIMIT_REPLICAS,
      redis:
        own.REDIS_URL === undefined ? undefined : { url: own.REDIS_URL, tlsCa: own.REDIS_TLS_CA },
    },
  });
}

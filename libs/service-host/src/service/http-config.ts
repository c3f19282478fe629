import { bool, integer, milliseconds, str } from '@bascule/process';
import type { Reloadable } from '@bascule/process';
import { publicKeys } from '@bascule/identity';
import type { PublicKeys } from '@bascule/identity';

const KIB = 1024;

/** Variables of every process with an HTTP server. */
export const serverEnv = {
  HOST: str({ default: '0.0.0.0', desc: 'address to listen on' }),
  PORT: integer({ min: 0, max: 65_535, desc: 'port to listen on; 0 for any free one' }),
  OPERATIONS_HOST: str({
    default: undefined,
    desc: 'address of health and metrics; HOST unless set',
  }),
  OPERATIONS_PORT: integer({
    min: 0,
    max: 65_535,
    default: undefined,
    desc: 'port of health and metrics; 1000 above PORT unless set, 0 for any free one',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    desc: 'minimum level of log lines',
  }),
  ENVIRONMENT: str({ default: 'development', desc: 'name of the deployment' }),
  SHUTDOWN_GRACE_MS: milliseconds({
    min: 0,
    default: 3_000,
    desc: 'not ready before intake stops',
  }),
  SHUTDOWN_DEADLINE_MS: milliseconds({
    min: 1,
    default: 25_000,
    desc: 'whole shutdown, grace included',
  }),
  BODY_LIMIT_BYTES: integer({ min: 1, default: 256 * KIB, desc: 'largest request body' }),
  LOG_REQUESTS: bool({ default: true, desc: 'one log line per request' }),
  SECRET_FILES_POLL_MS: milliseconds({
    min: 10,
    default: 5_000,
    desc: 'interval of looking for changes in the files of variables',
  }),
};

/** Between the ports of a service where only the first is set, so that several services on a machine have free ones. */
const OPERATIONS_OFFSET = 1_000;
const LAST_PORT = 65_535;

/** Address of the server for health and metrics. */
export function operationsAddress({
  HOST,
  PORT,
  OPERATIONS_HOST,
  OPERATIONS_PORT,
}: Pick<HttpConfig, 'HOST' | 'PORT' | 'OPERATIONS_HOST' | 'OPERATIONS_PORT'>): {
  host: string;
  port: number;
} {
  const above = PORT + OPERATIONS_OFFSET;
  const beside = above > LAST_PORT ? PORT - OPERATIONS_OFFSET : above;
  return { host: OPERATIONS_HOST ?? HOST, port: OPERATIONS_PORT ?? (PORT === 0 ? 0 : beside) };
}

/** Variable of a service that only the gateway may call. */
const internalTokenEnv = {
  INTERNAL_TOKEN_PUBLIC_KEYS: publicKeys(
    "JWKS of the gateway's internal tokens; two keys while rotating",
  ),
};

export const httpEnv = { ...serverEnv, ...internalTokenEnv };

/** Configuration of the HTTP server of a service. */
export interface HttpConfig {
  readonly HOST: string;
  readonly PORT: number;
  readonly OPERATIONS_HOST?: string | undefined;
  readonly OPERATIONS_PORT?: number | undefined;
  readonly LOG_LEVEL: string;
  readonly ENVIRONMENT: string;
  readonly SHUTDOWN_GRACE_MS: number;
  readonly SHUTDOWN_DEADLINE_MS: number;
  readonly BODY_LIMIT_BYTES: number;
  readonly LOG_REQUESTS: boolean;
  readonly SECRET_FILES_POLL_MS: number;
  /** Without keys, every route that is not `@Public()` rejects all callers. */
  readonly INTERNAL_TOKEN_PUBLIC_KEYS?: Reloadable<PublicKeys>;
}

import { pino, type DestinationStream, type Logger } from 'pino';
import { redactConfigs } from './redact-configs.js';
import { serializeError } from './serialize-error.js';
import { traceFields } from './tracing/active-trace.js';
import { withUrlOrigins } from './with-url-origins.js';

export type { Logger } from 'pino';

const SECRET_FIELDS = [
  'authorization',
  'secret',
  'signing_secret',
  'signature',
  'token',
  'state_token',
  'password',
  'auth_header',
  'privateKey',
];

const redactedPaths = [
  ...SECRET_FIELDS,
  ...SECRET_FIELDS.map((field) => `*.${field}`),
  ...SECRET_FIELDS.map((field) => `*.*.${field}`),
  '*["x-internal-token"]',
  '*.*["x-internal-token"]',
];

export interface LoggerOptions {
  service: string;
  level: string;
}

/**
 * Creates a logger of JSON lines, by default on stdout, with the trace of each line. Secret fields are redacted up to
 * two levels deep, and every URL is cut to its origin: errors of RPC clients and their causes repeat whole URLs.
 */
export function createLogger(options: LoggerOptions, destination?: DestinationStream): Logger {
  return pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '***' },
      mixin: traceFields,
      mixinMergeStrategy: (fields: object, trace: object) => ({
        ...trace,
        ...redactConfigs(fields),
      }),
      serializers: { err: serializeError },
      hooks: { streamWrite: withUrlOrigins },
    },
    destination ?? pino.destination(1),
  );
}

import { pino, type Logger } from 'pino';

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

/** JSON lines on stdout. Fields that hold secrets are redacted up to two levels deep. */
export function createLogger(options: LoggerOptions): Logger {
  return pino({
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: redactedPaths, censor: '***' },
    serializers: { err: pino.stdSerializers.errWithCause },
  });
}

const UNIQUE_VIOLATION = '23505';

interface PostgresError {
  code: string;
  constraint?: string;
}

/** Unwraps the Postgres error of a TypeORM error. */
export function postgresError(error: unknown): PostgresError | undefined {
  const candidate = driverErrorOf(error);
  if (typeof candidate !== 'object' || candidate === null || !('code' in candidate))
    return undefined;
  if (typeof candidate.code !== 'string') return undefined;
  const constraint = 'constraint' in candidate ? candidate.constraint : undefined;
  return {
    code: candidate.code,
    ...(typeof constraint === 'string' ? { constraint } : {}),
  };
}

function driverErrorOf(error: unknown): unknown {
  if (typeof error === 'object' && error !== null && 'driverError' in error) {
    return error.driverError;
  }
  return error;
}

export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = postgresError(error);
  return (
    found?.code === UNIQUE_VIOLATION &&
    (constraint === undefined || found.constraint === constraint)
  );
}

/** Connection lost or refused, resources exhausted, I/O: classes of SQLSTATE. */
const UNAVAILABLE_CLASSES = ['08', '53', '58'];
/** Shut down, starting up, terminated by an administrator; a standby that took our connection; the login or database. */
const UNAVAILABLE_STATES = new Set([
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '25006',
  '28P01',
  '28000',
  '3D000',
]);
const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
/** Messages of pg and TypeORM without a code for lost and unavailable connections. */
const UNAVAILABLE_MESSAGES =
  /query read timeout|connection terminated|connection ended|timeout exceeded when trying to connect|client has encountered a connection error|is not queryable|query runner (was )?already released|cannot use a pool after calling end|is not established|driver not connected|database system is (starting up|shutting down)/i;

/** Deadlock, serialisation failure, and timeouts of locks, statements and transactions. */
const BUSY_STATES = new Set(['40P01', '40001', '55P03', '57014', '25P03']);

/** Whether the database was too busy; a retry may succeed. */
export function isDatabaseBusy(error: unknown): boolean {
  return BUSY_STATES.has(postgresError(error)?.code ?? '');
}

/** Whether the database is unavailable, as opposed to refusing the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const code = postgresError(error)?.code;
  if (code !== undefined) {
    return (
      NETWORK_CODES.has(code) ||
      UNAVAILABLE_STATES.has(code) ||
      (/^[0-9A-Z]{5}$/.test(code) && UNAVAILABLE_CLASSES.includes(code.slice(0, 2)))
    );
  }
  return error instanceof Error && UNAVAILABLE_MESSAGES.test(error.message);
}

import type { DatabaseConfig } from './database-config.js';
import { PoolerError } from './direct-connection.js';
import { postgresError } from './postgres-errors.js';

/** Codes of errors whose message names a role, a database or a schema, and no secret. */
const SAFE_ERROR_CODES = /^(28|3D|3F|42501|53300|57P)/;

/** Describes for an operator why a database cannot be used, with host and port, without credentials. */
export function describeDatabaseError(
  error: unknown,
  database: Pick<DatabaseConfig, 'url'>,
): string {
  const found = postgresError(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (found !== undefined && SAFE_ERROR_CODES.test(found.code)) return reason;
  const { host } = new URL(database.url);
  if (error instanceof PoolerError || /unsupported startup parameter/.test(reason)) {
    return `${host} is a connection pooler: set DATABASE_DIRECT_URL to the server itself`;
  }
  if (found !== undefined && /^E[A-Z]+$/.test(found.code)) {
    return `no answer from ${host} (${found.code})`;
  }
  return found === undefined && /timeout|terminated/i.test(reason)
    ? `no answer from ${host} (${reason})`
    : `${host} refuses: ${found?.code ?? reason}`;
}

import { settlesWithin } from '@bascule/process';
import type pg from 'pg';
import { connectClient } from './connect-client.js';
import { tlsOptions, type DatabaseConfig } from './database-config.js';
import { sessionSettings, startupOptions } from './session-settings.js';

/**
 * Opens a connection past any pooler for LISTEN and advisory locks, which live as long as their session. The caller
 * handles `end` and closes it.
 *
 * @throws PoolerError when the URL leads to a pooler all the same
 */
export async function connectDirectly(
  database: DatabaseConfig,
  applicationName: string,
): Promise<pg.Client> {
  const client = await connectClient({
    connectionString: database.directUrl,
    ...tlsOptions(database),
    application_name: applicationName,
    options: startupOptions(sessionSettings(database.schema)),
    connectionTimeoutMillis: 5_000,
    // Detects a peer that vanished without closing the connection.
    query_timeout: 20_000,
  });
  await refusePooler(client);
  return client;
}

/** Thrown for a connection whose session changes between transactions. */
export class PoolerError extends Error {
  constructor() {
    super('a connection pooler stands before the server: set DATABASE_DIRECT_URL to the server');
    this.name = 'PoolerError';
  }
}

/**
 * Compares the process id that was announced at login with that of the serving process: a pooler announces its own.
 *
 * @throws PoolerError after closing the connection
 */
export async function refusePooler(client: pg.Client): Promise<void> {
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    if (rows[0]?.pid !== announcedPid(client)) throw new PoolerError();
  } catch (error) {
    await closeConnection(client);
    throw error;
  }
}

/** The driver keeps it for cancelling queries; its types leave it out. */
const announcedPid = (client: pg.Client): unknown =>
  'processID' in client ? client.processID : undefined;

const CLOSE_TIMEOUT_MS = 1_000;

/** Closes within a second, whether or not the server answers; never throws. */
export async function closeConnection(client: pg.Client): Promise<void> {
  await settlesWithin(CLOSE_TIMEOUT_MS, client.end());
}

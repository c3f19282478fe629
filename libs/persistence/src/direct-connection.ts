import { settlesWithin } from '@bascule/process';
import type pg from 'pg';
import { connectClient } from './connect-client.js';
import { sessionSettings } from './data-source.js';
import { tlsOptions, type DatabaseConfig } from './database-config.js';

/**
 * Opens a connection past any pooler for LISTEN and advisory locks, which live as long as their session. The caller
 * handles `end` and closes it.
 */
export function connectDirectly(
  database: DatabaseConfig,
  applicationName: string,
): Promise<pg.Client> {
  return connectClient({
    connectionString: database.directUrl,
    ...tlsOptions(database),
    application_name: applicationName,
    options: sessionSettings({ database }),
    connectionTimeoutMillis: 5_000,
    // Detects a peer that vanished without closing the connection.
    query_timeout: 20_000,
  });
}

const CLOSE_TIMEOUT_MS = 1_000;

/** Closes within a second, whether or not the server answers; never throws. */
export async function closeConnection(client: pg.Client): Promise<void> {
  await settlesWithin(CLOSE_TIMEOUT_MS, client.end());
}

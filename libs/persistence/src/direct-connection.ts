import { settlesWithin } from '@bascule/process';
import pg from 'pg';
import { sessionSettings } from './data-source.js';
import { tlsOptions, type DatabaseConfig } from './database-config.js';

/**
 * A connection of its own past any pooler, for what lives as long as a session: LISTEN and advisory locks.
 * The caller handles its `error` and `end` events and ends it.
 */
export async function connectDirectly(
  database: DatabaseConfig,
  applicationName: string,
): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: database.directUrl,
    ...tlsOptions(database),
    application_name: applicationName,
    options: sessionSettings({ database }),
    connectionTimeoutMillis: 5_000,
    // A peer that went away without a word: the caller gives the connection up.
    query_timeout: 20_000,
    keepAlive: true,
  });
  // Without a listener a lost connection would end the process; who uses the client sees `end`.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

const CLOSE_TIMEOUT_MS = 1_000;

/** Never waits for a peer that does not answer, and never throws. */
export async function closeConnection(client: pg.Client): Promise<void> {
  await settlesWithin(CLOSE_TIMEOUT_MS, client.end());
}

import pg from 'pg';

/**
 * Connects a client whose lost connection fails its queries and emits `end`. A `pg.Client` without an `error` listener
 * ends the process instead.
 */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

import pg from 'pg';

/** Time without traffic after which the client probes the server. */
export const KEEPALIVE_DELAY_MS = 10_000;

/**
 * Server's side of a vanished client: probed after 10 s of silence, given up after 25 s, or after 20 s without an
 * acknowledgement of sent data. By default a server keeps such a session, with its locks, for two hours.
 */
const DETECT_VANISHED_CLIENT = `
  SELECT set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '20000', false)`;

/**
 * Connects a client whose lost connection fails its queries and emits `end`. A `pg.Client` without an `error` listener
 * ends the process instead. Both sides probe a peer that vanished without closing the connection.
 */
export async function connectClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_DELAY_MS,
    ...config,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(DETECT_VANISHED_CLIENT);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

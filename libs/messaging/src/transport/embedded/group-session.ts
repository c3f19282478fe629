import { closeConnection, connectDirectly, type DatabaseConfig } from '@bascule/persistence';
import type { WakeSignal } from '@bascule/process';
import type pg from 'pg';
import { EVENT_LOG_CHANNEL, mentionsTopic } from './notifications.js';

const HEARTBEAT_MS = 5_000;
const TRY_LOCK = `SELECT pg_try_advisory_lock(hashtext('bascule-group'), hashtext($1)) AS locked`;

/**
 * Session of the one consuming process of a group: an advisory lock and LISTEN on a connection of its own. The lock ends
 * with the connection.
 */
export class GroupSession {
  private lost = false;
  private readonly heartbeat: NodeJS.Timeout;

  private constructor(private readonly client: pg.Client) {
    this.heartbeat = setInterval(() => {
      this.beat();
    }, HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  /** Connects and tries to become the consuming process; null when another one is. */
  static async open(options: {
    database: DatabaseConfig;
    group: string;
    topics: readonly string[];
    signal: WakeSignal;
  }): Promise<GroupSession | null> {
    const client = await connectDirectly(options.database, `bascule/group ${options.group}`);
    const session = new GroupSession(client);
    client.on('end', () => {
      session.lost = true;
      options.signal.wake();
    });
    client.on('notification', (message) => {
      if (mentionsTopic(message.payload, options.topics)) options.signal.wake();
    });
    try {
      const { rows } = await client.query<{ locked: boolean }>(TRY_LOCK, [options.group]);
      if (rows[0]?.locked !== true) {
        await session.close();
        return null;
      }
      await client.query(`LISTEN ${EVENT_LOG_CHANNEL}`);
      return session;
    } catch (error) {
      await session.close();
      throw error;
    }
  }

  get isLost(): boolean {
    return this.lost;
  }

  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    await closeConnection(this.client);
  }

  /** Detects a lost connection, which would leave two processes reading. */
  private beat(): void {
    this.client.query('SELECT 1').catch(() => {
      this.lost = true;
      void this.close();
    });
  }
}

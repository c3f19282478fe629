import type { Admin, Kafka } from 'kafkajs';
import type { BrokerStatus } from './broker-status.js';
import { RETRY } from './kafka-client.js';

interface Connection {
  admin: Admin;
  connected: Promise<void>;
  since: number;
  users: number;
}

/** Connects on first use, after a failure and when its cluster metadata is stale. */
export class AdminClient {
  private current: Connection | null = null;

  constructor(
    private readonly kafka: Kafka,
    private readonly status: BrokerStatus,
    private readonly maxAgeMs: number,
  ) {}

  /** @throws TransportUnavailableError */
  async use<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    if (this.current !== null && Date.now() - this.current.since > this.maxAgeMs) {
      this.retire(this.current);
    }
    const connection = this.open();
    connection.users += 1;
    try {
      await connection.connected;
      const result = await work(connection.admin);
      this.status.succeeded();
      return result;
    } catch (error) {
      this.retire(connection);
      throw this.status.failed(error);
    } finally {
      connection.users -= 1;
      if (connection !== this.current) disconnectUnused(connection);
    }
  }

  async close(): Promise<void> {
    const { current } = this;
    this.current = null;
    await current?.admin.disconnect().catch(() => undefined);
  }

  private open(): Connection {
    if (this.current === null) {
      const admin = this.kafka.admin({ retry: RETRY });
      this.current = { admin, connected: admin.connect(), since: Date.now(), users: 0 };
    }
    return this.current;
  }

  /** Replaces the connection; calls in flight keep the old one. */
  private retire(connection: Connection): void {
    if (this.current !== connection) return;
    this.current = null;
    disconnectUnused(connection);
  }
}

function disconnectUnused({ admin, users }: Connection): void {
  if (users === 0) admin.disconnect().catch(() => undefined);
}

import type { Admin, Kafka } from 'kafkajs';
import type { BrokerStatus } from './broker-status.js';
import { RETRY } from './kafka-client.js';

/** Connects when it is first used, and anew after a failure or when what it knows of the cluster is old. */
export class AdminClient {
  private current: { admin: Admin; connected: Promise<void>; since: number } | null = null;

  constructor(
    private readonly kafka: Kafka,
    private readonly status: BrokerStatus,
    private readonly maxAgeMs: number,
  ) {}

  /** @throws TransportUnavailableError */
  async use<T>(work: (admin: Admin) => Promise<T>): Promise<T> {
    if (this.current !== null && Date.now() - this.current.since > this.maxAgeMs) this.forget();
    const { admin, connected } = this.open();
    try {
      await connected;
      const result = await work(admin);
      this.status.succeeded();
      return result;
    } catch (error) {
      if (this.current?.admin === admin) this.forget();
      throw this.status.failed(error);
    }
  }

  async close(): Promise<void> {
    const { current } = this;
    this.current = null;
    await current?.admin.disconnect().catch(() => undefined);
  }

  private open(): { admin: Admin; connected: Promise<void> } {
    if (this.current === null) {
      const admin = this.kafka.admin({ retry: RETRY });
      this.current = { admin, connected: admin.connect(), since: Date.now() };
    }
    return this.current;
  }

  private forget(): void {
    void this.close();
  }
}

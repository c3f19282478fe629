import type { Logger } from '@bascule/process';
import type { DataSource } from 'typeorm';

/** A NOTIFY inside the writers' transactions would serialise their commits; one in 5 ms on its own does not. */
const COALESCE_MS = 5;

export const relayChannel = (schema: string): string => `outbox_${schema}`;

/** Tells the leading relay, wherever it runs, that there is something to publish. */
export class RelayWaker {
  private timer: NodeJS.Timeout | undefined;
  private localLeader: (() => void) | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly channel: string,
    private readonly logger: Logger,
  ) {}

  /** While this process leads, waking needs no database. */
  setLocalLeader(wake: (() => void) | undefined): void {
    this.localLeader = wake;
  }

  wake(): void {
    if (this.localLeader !== undefined) {
      this.localLeader();
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.notify();
    }, COALESCE_MS);
  }

  private notify(): void {
    if (!this.dataSource.isInitialized) return;
    this.dataSource
      .query('SELECT pg_notify($1, $2)', [this.channel, ''])
      .catch((error: unknown) => {
        this.logger.debug({ err: error }, 'the relay could not be notified; it polls');
      });
  }
}

import type { Logger } from '@bascule/process';
import type { DataSource } from 'typeorm';

/** Interval of NOTIFYs outside the writers' transactions, inside of which they would serialise commits. */
const COALESCE_MS = 5;

export const relayChannel = (schema: string): string => `outbox_${schema}`;

/** Notifies the leading relay, in this or another process, of new rows. */
export class RelayWaker {
  private timer: NodeJS.Timeout | undefined;
  private localLeader: (() => void) | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly channel: string,
    private readonly logger: Logger,
  ) {}

  /** Sets the callback of the leading relay in this process, which needs no NOTIFY. */
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
        this.logger.debug({ err: error }, 'relay notification failed; the relay polls');
      });
  }
}

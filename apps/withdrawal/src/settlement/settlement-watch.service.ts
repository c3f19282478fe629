import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const POLL_MS = 250;

/**
 * Waits of clients for withdrawals to land. However many there are, they share one short query now and then, for what other
 * replicas settle; what this process settles ends them at once.
 */
@Injectable()
export class SettlementWatchService {
  private readonly waits = new Map<string, Set<() => void>>();
  private polling = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
  ) {}

  /** Ends when the withdrawal is no longer pending, when the time is over, or when the process or the client goes. */
  async untilSettled(id: string, ms: number, clientGone: AbortSignal): Promise<void> {
    const { stopping } = this.context.shutdown;
    if (ms <= 0 || stopping.aborted || clientGone.aborted) return;
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const timer = setTimeout(end, ms);
    stopping.addEventListener('abort', end);
    clientGone.addEventListener('abort', end);
    const others = this.waits.get(id) ?? new Set();
    this.waits.set(id, others.add(end));
    void this.poll();
    try {
      await ended;
    } finally {
      clearTimeout(timer);
      stopping.removeEventListener('abort', end);
      clientGone.removeEventListener('abort', end);
      others.delete(end);
      if (others.size === 0) this.waits.delete(id);
    }
  }

  /** The withdrawal has reached an end. */
  notifySettled(id: string): void {
    for (const end of this.waits.get(id) ?? []) end();
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    try {
      while (this.waits.size > 0) {
        await this.look().catch((error: unknown) => {
          this.context.logger.warn({ err: error }, 'looking for landed withdrawals failed');
        });
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      this.polling = false;
    }
  }

  private async look(): Promise<void> {
    const ended: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM withdrawals WHERE id = ANY($1) AND status <> 'PENDING'`,
      [[...this.waits.keys()]],
    );
    for (const { id } of ended) this.notifySettled(id);
  }
}

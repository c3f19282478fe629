import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const POLL_MS = 250;

/**
 * Lets clients wait until withdrawals are settled. All waits share one polling query for settlements of other replicas;
 * settlements of this process end them at once.
 */
@Injectable()
export class SettlementWatchService {
  private readonly waits = new Map<string, Set<() => void>>();
  private polling = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Resolves when the withdrawal is no longer pending, on timeout, at shutdown, or when the client disconnects.
   * @returns true where shutdown or the client may have ended the wait early
   */
  async untilSettled(id: string, ms: number, clientGone: AbortSignal): Promise<boolean> {
    const { stopping } = this.context.shutdown;
    const isInterrupted = (): boolean => stopping.aborted || clientGone.aborted;
    if (ms <= 0 || isInterrupted()) return ms > 0;
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
    return isInterrupted();
  }

  /** Ends the waits for a settled withdrawal. */
  notifySettled(id: string): void {
    for (const end of this.waits.get(id) ?? []) end();
  }

  private async poll(): Promise<void> {
    if (this.polling) return;
    this.polling = true;
    try {
      while (this.waits.size > 0) {
        await this.pollOnce().catch((error: unknown) => {
          this.context.logger.warn({ err: error }, 'could not poll for settled withdrawals');
        });
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } finally {
      this.polling = false;
    }
  }

  private async pollOnce(): Promise<void> {
    const ended: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM withdrawals WHERE id = ANY($1) AND status <> 'PENDING'`,
      [[...this.waits.keys()]],
    );
    for (const { id } of ended) this.notifySettled(id);
  }
}

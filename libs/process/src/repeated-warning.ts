import type { Logger } from './logger.js';

const REPEAT_MS = 30_000;

/** Logs a lasting failure: a new reason at once, the same reason every half a minute. */
export class RepeatedWarning {
  private lastReason: string | undefined;
  private loggedAt = 0;

  constructor(
    private readonly logger: Logger,
    private readonly message: string,
  ) {}

  report(reason: string, details: object = {}): void {
    const now = Date.now();
    if (reason === this.lastReason && now - this.loggedAt < REPEAT_MS) return;
    this.lastReason = reason;
    this.loggedAt = now;
    this.logger.warn({ ...details, reason }, this.message);
  }

  /** Ends the failure; the next one is logged at once. */
  clear(): void {
    this.lastReason = undefined;
  }
}

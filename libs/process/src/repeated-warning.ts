import type { Logger } from './logger.js';

const REPEAT_MS = 30_000;

/** Logs a trouble that lasts: another reason at once, the same again every half a minute. */
export class RepeatedWarning {
  private last: string | undefined;
  private saidAt = 0;

  constructor(
    private readonly logger: Logger,
    private readonly message: string,
  ) {}

  report(reason: string, details: object = {}): void {
    const now = Date.now();
    if (reason === this.last && now - this.saidAt < REPEAT_MS) return;
    this.last = reason;
    this.saidAt = now;
    this.logger.warn({ ...details, reason }, this.message);
  }

  /** The next one is logged at once, whatever it is. */
  clear(): void {
    this.last = undefined;
  }
}

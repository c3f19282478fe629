/**
 * `OPEN`: nothing is sent until its time has passed, then one delivery at a time to see whether the receiver is back.
 * `RECOVERING`: it is; what had become due by then is sent at a limited rate, what becomes due from then on as ever.
 */
export type CircuitState = 'OPEN' | 'RECOVERING';

/** `open` from closed or recovering, `reopen` after a trial that failed, `recover` after one that did not. */
export type CircuitChange = 'open' | 'reopen' | 'recover';

const LONGEST_COOL_DOWN = 10;

/** Cool-down of a circuit after consecutive openings: doubled each time, to ten times the first. */
export function coolDownMs(openings: number, firstMs: number): number {
  return firstMs * Math.min(2 ** (openings - 1), LONGEST_COOL_DOWN);
}

export interface FinishedAttempt {
  webhookId: string;
  acknowledged: boolean;
  /** True for a trial of an open circuit. */
  trial: boolean;
}

/** Failures in a row, as this process has seen them. */
export class FailureStreaks {
  private readonly streaks = new Map<string, number>();

  constructor(private readonly threshold: number) {}

  /** Change of the circuit after an attempt; null for none. */
  changeAfter({ webhookId, acknowledged, trial }: FinishedAttempt): CircuitChange | null {
    if (acknowledged) {
      this.streaks.delete(webhookId);
      return trial ? 'recover' : null;
    }
    if (trial) return 'reopen';
    const streak = (this.streaks.get(webhookId) ?? 0) + 1;
    if (streak < this.threshold) {
      this.streaks.set(webhookId, streak);
      return null;
    }
    this.streaks.delete(webhookId);
    return 'open';
  }
}

/**
 * `OPEN` sends nothing during the cool-down, then one trial delivery at a time. `RECOVERING` sends deliveries that
 * were due by then at a limited rate, and new ones as usual.
 */
export type CircuitState = 'OPEN' | 'RECOVERING';

/** `open` from closed or recovering, `reopen` after a failed trial, `recover` after a successful one. */
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

/** Counts consecutive failures as seen by this process. */
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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Before the second, third, … attempt; the last one repeats. */
const DELAYS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
] as const;
const LAST_DELAY_MS = 8 * HOUR_MS;

export const MAX_ATTEMPTS = 12;
/** No attempt starts later than this after the first. */
export const SCHEDULE_MS = 24 * HOUR_MS;
const JITTER = 0.025;

export interface FailedDelivery {
  /** Attempts so far, the one that just failed included. */
  attempts: number;
  /** From the start of the first attempt until now. */
  sinceFirstMs: number;
}

/**
 * How long to wait before the next attempt; null when there is none. `random` is in [0, 1).
 * The schedule is the specification's: by its nominal sum nine attempts fit into the day.
 */
export function nextDelayMs(failed: FailedDelivery, random: number): number | null {
  if (failed.attempts >= MAX_ATTEMPTS) return null;
  const nominal = DELAYS_MS[failed.attempts - 1] ?? LAST_DELAY_MS;
  const delay = Math.round(nominal * (1 + JITTER * (2 * random - 1)));
  return failed.sinceFirstMs + delay > SCHEDULE_MS ? null : delay;
}

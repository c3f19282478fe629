const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Delays before the second, third, … attempt; the last one repeats. */
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
  /** Delay that the receiver asked for. */
  retryAfterMs?: number | null;
}

/**
 * Delay before the next attempt; null after the last. `random` is in [0, 1). Nine attempts fit into the day of the
 * schedule. `Retry-After` may postpone an attempt within that day, but neither advance it nor move it beyond.
 */
export function nextDelayMs(failed: FailedDelivery, random: number): number | null {
  if (failed.attempts >= MAX_ATTEMPTS) return null;
  const nominal = DELAYS_MS[failed.attempts - 1] ?? LAST_DELAY_MS;
  const scheduled = Math.round(nominal * (1 + JITTER * (2 * random - 1)));
  const isInTime = (delay: number): boolean => failed.sinceFirstMs + delay <= SCHEDULE_MS;
  const asked = failed.retryAfterMs ?? 0;
  if (asked > scheduled && isInTime(asked)) return asked;
  return isInTime(scheduled) ? scheduled : null;
}

/** Whether an attempt that starts now would be one too many or too late, as after a long outage. */
export const isExhausted = (delivery: { attempts: number; sinceFirstMs: number | null }): boolean =>
  delivery.attempts >= MAX_ATTEMPTS || (delivery.sinceFirstMs ?? 0) > SCHEDULE_MS;

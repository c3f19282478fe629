const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** Waits before the second, third, … attempt. */
export const RETRY_DELAYS_MS: readonly number[] = [
  SECOND,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  60 * MINUTE,
];

/** Backoff after `attempts` failures; null when attempts are exhausted. */
export function nextDelayMs(
  failedAttempts: number,
  delays: readonly number[] = RETRY_DELAYS_MS,
): number | null {
  return delays[failedAttempts - 1] ?? null;
}

/** Seconds to wait after each failed attempt; after the last one the callback is abandoned. */
const DELAYS = [1, 2, 5, 15, 60, 300, 900, 3600, 3600];

/** Returns null when no attempt is left. */
export const retryDelaySeconds = (failedAttempts: number): number | null =>
  DELAYS[failedAttempts - 1] ?? null;

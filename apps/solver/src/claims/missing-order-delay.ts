const WAIT_MS = { min: 2_000, max: 300_000 };
const SHARE_OF_AGE = 10;

/** Returns the delay, in milliseconds, until a missing order is read again; it grows with the order's age. */
export const missingOrderDelay = (ageMs: number): number =>
  Math.min(Math.max(Math.round(ageMs / SHARE_OF_AGE), WAIT_MS.min), WAIT_MS.max);

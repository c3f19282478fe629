const WAIT_MS = { min: 2_000, max: 300_000 };
const SHARE_OF_AGE = 10;

/** In how many milliseconds to look again for an order that has been missing its chain for so long. */
export const missingOrderDelay = (ageMs: number): number =>
  Math.min(Math.max(Math.round(ageMs / SHARE_OF_AGE), WAIT_MS.min), WAIT_MS.max);

const FIRST_MS = 2_000;
const HOUR_MS = 3_600_000;
/** More than a settle window of a day has room for. */
const OFTEN = 40;

/**
 * Returns the delay, in milliseconds, after a fill or claim that failed on chain and cost gas: doubled by each, up to an
 * hour, and a day after many.
 * @param attempts transactions of the order so far, at least one
 */
export const failureDelay = (attempts: number): number =>
  attempts > OFTEN ? 24 * HOUR_MS : Math.min(FIRST_MS * 2 ** (attempts - 1), HOUR_MS);

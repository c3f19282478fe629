const FIRST_MS = 1_000;
/** A small part of any fill window: gas may become cheaper, or inventory arrive, at any time. */
const LONGEST_MS = 30_000;

/**
 * Returns the delay, in milliseconds, until an order that could not be filled is looked at again: doubled by each look.
 * @param retries looks before this one that could not fill it
 */
export const fillDelay = (retries: number): number => Math.min(FIRST_MS * 2 ** retries, LONGEST_MS);

const FIRST_MS = 250;
const LONGEST_MS = 10_000;

/**
 * Returns the delay before a process is started again.
 * @param failures ends in a row before it was ready, the last one included
 */
export const restartDelayMs = (failures: number): number =>
  Math.min(FIRST_MS * 2 ** Math.max(0, failures - 1), LONGEST_MS);

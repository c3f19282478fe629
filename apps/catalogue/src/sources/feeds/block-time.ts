/** A node that lags further behind tells of a past that is over, and of a sequencer that was up then. */
const LONGEST_LAG_MS = 300_000;

/** The time of the block that a node answers from, by our clock where its own is ahead; null when it is too long ago. */
export function blockTime(timestamp: unknown, now: Date): Date | null {
  if (typeof timestamp !== 'bigint') return null;
  const at = Number(timestamp) * 1000;
  return now.getTime() - at > LONGEST_LAG_MS ? null : new Date(Math.min(at, now.getTime()));
}

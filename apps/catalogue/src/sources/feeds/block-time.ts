/** Maximum lag of a node: beyond it prices and sequencer status are outdated. */
const LONGEST_LAG_MS = 300_000;

/** Time of the node's block, at most the local time; null when the node lags too far behind. */
export function blockTime(timestamp: unknown, now: Date): Date | null {
  if (typeof timestamp !== 'bigint') return null;
  const at = Number(timestamp) * 1000;
  return now.getTime() - at > LONGEST_LAG_MS ? null : new Date(Math.min(at, now.getTime()));
}

const LONGEST_MONTH_MS = 31 * 86_400_000;
/** Half of how much two waits may differ, so that rounds of many replicas and chains do not meet. */
const JITTER = 0.1;

/** The rest is for restarts, replicas that take over, and assets that are added. */
const SHARE_FOR_ROUNDS = 0.8;

/** The shortest time between two rounds with which the month's calls last all month. */
export function pacedIntervalMs(o: {
  wantedMs: number;
  callsPerRound: number;
  callsPerMonth: number;
}): number {
  return Math.max(
    o.wantedMs,
    Math.ceil((LONGEST_MONTH_MS * o.callsPerRound) / (SHARE_FOR_ROUNDS * o.callsPerMonth)),
  );
}

/** `random` is at least 0 and below 1. */
export const jittered = (ms: number, random: number): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * random));

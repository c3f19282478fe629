const LONGEST_MONTH_MS = 31 * 86_400_000;
/** Jitter as a share of the wait, in either direction. */
const JITTER = 0.1;

/** Share of the calls for regular rounds; the rest is for restarts, failover and added assets. */
const SHARE_FOR_ROUNDS = 0.8;

/** Shortest interval at which the monthly calls last all month. */
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

/** Adds jitter; `random` is at least 0 and below 1. */
export const jittered = (ms: number, random: number): number =>
  Math.round(ms * (1 - JITTER + 2 * JITTER * random));

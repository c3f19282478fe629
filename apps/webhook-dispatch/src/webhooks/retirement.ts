const HOUR_MS = 3_600_000;

/** Minimum time for receivers to switch to the new secret. */
const MIN_MS = 24 * HOUR_MS;

/** Returns when old secrets retire, at least a day from now; null if they stay. */
export function retirementTime(retireAfter: string | undefined, now: Date): Date | null {
  if (retireAfter === undefined) return null;
  return new Date(Math.max(Date.parse(retireAfter), now.getTime() + MIN_MS));
}

const HOUR_MS = 3_600_000;

/** Receivers get this long to learn the new secret, whatever was asked for. */
const LEAST_MS = 24 * HOUR_MS;

/** When old secrets retire: as asked, but not before a day has passed; null where they stay. */
export function retirementTime(retireAfter: string | undefined, now: Date): Date | null {
  if (retireAfter === undefined) return null;
  return new Date(Math.max(Date.parse(retireAfter), now.getTime() + LEAST_MS));
}

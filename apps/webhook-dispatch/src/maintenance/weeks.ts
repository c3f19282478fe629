const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** A Monday. */
const EPOCH_MS = Date.UTC(1970, 0, 5);
const UUID_TIME_DIGITS = 12;

/** Returns Monday, 0:00 UTC, of the week that many weeks after this time. */
export function weekOf(time: Date, weeksLater = 0): Date {
  const weeks = Math.floor((time.getTime() - EPOCH_MS) / WEEK_MS);
  return new Date(EPOCH_MS + (weeks + weeksLater) * WEEK_MS);
}

export const partitionName = (table: string, week: Date): string =>
  `${table}_${week.toISOString().slice(0, 10).replaceAll('-', '')}`;

/** Returns a bound below every UUIDv7 created from this time on, and above all earlier ones. */
export function firstUuidOf(time: Date): string {
  const digits = time.getTime().toString(16).padStart(UUID_TIME_DIGITS, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** Partitions whose whole week is older than the retention. */
export function partitionsToDrop(
  table: string,
  names: readonly string[],
  now: Date,
  retentionDays: number,
): string[] {
  const oldest = partitionName(table, weekOf(new Date(now.getTime() - retentionDays * DAY_MS)));
  const isWeek = new RegExp(`^${table}_\\d{8}$`);
  return names.filter((name) => isWeek.test(name) && name < oldest);
}

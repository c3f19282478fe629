const DAY_MS = 86_400_000;
const PARTITION = /^inbox_(\d{4})(\d{2})(\d{2})$/;

/** The UTC day, `YYYY-MM-DD`. */
export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

export const shiftDay = (day: string, days: number): string =>
  dayOf(new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS));

/**
 * Covers the retention of topics (14 and 30 days), of resolved dead letters (90 days) and of webhook deliveries (at
 * most as long). Older events are refused.
 */
export const INBOX_RETENTION_DAYS = 90;

export const isWithinRetention = (day: string): boolean =>
  day >= shiftDay(dayOf(new Date()), -INBOX_RETENTION_DAYS);

export const partitionName = (day: string): string => `inbox_${day.replaceAll('-', '')}`;

/** Partitions whose whole day lies before the retention. */
export function partitionsToDrop(
  names: readonly string[],
  today: string,
  retentionDays: number,
): string[] {
  const oldest = partitionName(shiftDay(today, -retentionDays));
  return names.filter((name) => PARTITION.test(name) && name < oldest);
}

const FIRST = '0001-01-01';
const END = Date.UTC(10_000, 0);

/**
 * Whether an ISO 8601 text names a time of the years 1 to 9999 whose day exists.
 * `Date` reads 30 February as 2 March, and Postgres has neither that day nor a year 0.
 */
export function isExistingTime(text: string): boolean {
  const day = text.slice(0, FIRST.length);
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  return exists && day >= FIRST && Date.parse(text) < END && !text.includes('T24');
}

/** What to wait when the upstream does not say. */
const DEFAULT_MS = 60_000;
/** Nobody is believed to want longer than that. */
const LONGEST_MS = 3_600_000;

/** How long a `Retry-After` header, in seconds or as a date, asks to wait. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  const asked = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  if (Number.isNaN(asked)) return DEFAULT_MS;
  return Math.min(Math.max(asked, 0), LONGEST_MS);
}

const DEFAULT_MS = 60_000;
const MAX_MS = 3_600_000;

/** Milliseconds that a `Retry-After` header (seconds or a date) requests, at most an hour; a minute without one. */
export function retryAfterMs(header: string | undefined, now: Date): number {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime();
  if (Number.isNaN(waitMs)) return DEFAULT_MS;
  return Math.min(Math.max(waitMs, 0), MAX_MS);
}

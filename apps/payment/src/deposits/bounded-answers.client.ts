import { BaseError, HttpRequestError, TimeoutError } from 'viem';

const REQUESTS_AT_ONCE = 20;

const OF_TIME = /tim(ed|e)[ -]?out|deadline exceeded/i;
const TIMEOUT_STATUSES: readonly unknown[] = [408, 504, 524];

const isOfTime = (error: unknown): boolean =>
  error instanceof TimeoutError ||
  (error instanceof HttpRequestError && TIMEOUT_STATUSES.includes(error.status)) ||
  (error instanceof BaseError && OF_TIME.test(error.details));

/** Whether a request timed out, at the client or at the node. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof BaseError && error.walk(isOfTime) !== null;

/** Reads each item by a request of its own, a few at once. */
export async function readEach<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R>,
): Promise<R[]> {
  const found: R[] = [];
  for (let start = 0; start < items.length; start += REQUESTS_AT_ONCE) {
    found.push(...(await Promise.all(items.slice(start, start + REQUESTS_AT_ONCE).map(read))));
  }
  return found;
}

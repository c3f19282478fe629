import { BaseError, HttpRequestError, ResponseBodyTooLargeError } from 'viem';

/** Wallets or tokens of one request; nodes accept 1,000. */
const ITEMS_AT_ONCE = 500;
const REQUESTS_AT_ONCE = 20;

const OF_SIZE =
  /too (large|big|many)|more than|(response|results?|size|range|logs?) .*exceed|exceed\w* .*(size|results?|range|logs|bytes)|greater than \d+ bytes|limited to|max(imum)? (logs|results)/i;
const OF_RATE =
  /\brate\b|too many requests|request (count|limit)|per (second|minute|day)|throughput|compute units|capacity|quota/i;

/** Whether an answer was refused for its size, by the client's limit or by the node; not for the rate of requests. */
export function isTooLarge(error: unknown): error is BaseError {
  return error instanceof BaseError && error.walk(isOfSize) !== null;
}

const isOfSize = (error: unknown): boolean =>
  error instanceof ResponseBodyTooLargeError ||
  (error instanceof HttpRequestError && error.status === 413) ||
  (error instanceof BaseError && OF_SIZE.test(error.details) && !OF_RATE.test(error.details));

/**
 * Reads items by requests of at most 500, and by halves where an answer is refused as too large. Requests follow each
 * other, so that a node that refuses everything fails after a few.
 * @param readOne reads a single item that is refused; without it the refusal is thrown
 */
export async function readInParts<T, R>(
  items: readonly T[],
  read: (part: readonly T[]) => Promise<R[]>,
  readOne?: (item: T, error: Error) => Promise<R[]> | R[],
): Promise<R[]> {
  const found: R[][] = [];
  for (let start = 0; start < items.length; start += ITEMS_AT_ONCE) {
    found.push(await readInHalves(items.slice(start, start + ITEMS_AT_ONCE), read, readOne));
  }
  return found.flat();
}

async function readInHalves<T, R>(
  part: readonly T[],
  read: (part: readonly T[]) => Promise<R[]>,
  readOne?: (item: T, error: Error) => Promise<R[]> | R[],
): Promise<R[]> {
  try {
    return await read(part);
  } catch (error) {
    const [item] = part;
    if (item === undefined || !isTooLarge(error)) throw error;
    if (part.length === 1) {
      if (readOne === undefined) throw error;
      return readOne(item, error);
    }
    const middle = Math.ceil(part.length / 2);
    const first = await readInHalves(part.slice(0, middle), read, readOne);
    return [...first, ...(await readInHalves(part.slice(middle), read, readOne))];
  }
}

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

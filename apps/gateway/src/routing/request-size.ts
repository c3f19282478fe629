/** Bytes of a body, and of a query, that cost as much as a request. */
const BODY_PER_UNIT = 4_096;
const QUERY_PER_UNIT = 1_024;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Computes the bytes of the body that a request announces, without those that are never read.
 * @param limit bytes of the largest body; a body of unknown length counts as one
 */
export function bodyBytesOf(headers: Headers, limit: number): number {
  if (headers['transfer-encoding'] !== undefined) return limit;
  const length = Number(headers['content-length'] ?? 0);
  return Math.min(Number.isNaN(length) ? limit : length, limit);
}

/** Computes the units of a request's size: long lists and stored calls cost work and space, small requests nothing. */
export function sizeWeightOf(url: string, headers: Headers, bodyLimit: number): number {
  const query = url.length - (url.indexOf('?') === -1 ? url.length : url.indexOf('?'));
  return (
    Math.floor(bodyBytesOf(headers, bodyLimit) / BODY_PER_UNIT) + Math.floor(query / QUERY_PER_UNIT)
  );
}

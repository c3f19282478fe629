import { isDeepStrictEqual } from 'node:util';

/** A listed chain or asset with the version of its state. */
export interface ListingEntry<T> {
  id: string;
  value: T;
  listed: boolean;
  version: number;
}

/**
 * Computes the entries to write and publish so that exactly `wanted` is listed. Each change is the next version of its
 * entry; an unwanted entry is delisted and keeps its last value.
 */
export function listingChanges<T>(
  stored: readonly ListingEntry<T>[],
  wanted: readonly { id: string; value: T }[],
): ListingEntry<T>[] {
  const known = new Map(stored.map((entry) => [entry.id, entry]));
  const kept = new Set(wanted.map(({ id }) => id));
  const listed = wanted.flatMap(({ id, value }): ListingEntry<T>[] => {
    const entry = known.get(id);
    if (entry?.listed && isDeepStrictEqual(entry.value, value)) return [];
    return [{ id, value, listed: true, version: (entry?.version ?? 0) + 1 }];
  });
  const delisted = stored
    .filter((entry) => entry.listed && !kept.has(entry.id))
    .map((entry) => ({ ...entry, listed: false, version: entry.version + 1 }));
  return [...listed, ...delisted];
}

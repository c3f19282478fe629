import { isDeepStrictEqual } from 'node:util';

/** A listed thing with the version of its state. */
export interface Entry<T> {
  id: string;
  value: T;
  listed: boolean;
  version: number;
}

/**
 * What has to be written, and published, so that exactly `wanted` is listed. Every change is the next version of its
 * entry; what is no longer wanted keeps its last value, delisted.
 */
export function listingChanges<T>(
  stored: readonly Entry<T>[],
  wanted: readonly { id: string; value: T }[],
): Entry<T>[] {
  const known = new Map(stored.map((entry) => [entry.id, entry]));
  const kept = new Set(wanted.map(({ id }) => id));
  const listed = wanted.flatMap(({ id, value }): Entry<T>[] => {
    const entry = known.get(id);
    if (entry?.listed && isDeepStrictEqual(entry.value, value)) return [];
    return [{ id, value, listed: true, version: (entry?.version ?? 0) + 1 }];
  });
  const delisted = stored
    .filter((entry) => entry.listed && !kept.has(entry.id))
    .map((entry) => ({ ...entry, listed: false, version: entry.version + 1 }));
  return [...listed, ...delisted];
}

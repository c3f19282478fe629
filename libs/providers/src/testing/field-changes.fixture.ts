type Path = readonly (string | number)[];

/** Paths of all fields of a JSON value. */
export function fieldPaths(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) {
    // The first and the last one of a list.
    const ends = new Set([0, value.length - 1]);
    return value.flatMap((item, index) =>
      ends.has(index) ? fieldPaths(item, [...at, index]) : [],
    );
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...at, name],
    ...fieldPaths(inner, [...at, name]),
  ]);
}

/** Sets or (with undefined) removes one field. */
export function changed(value: unknown, [first, ...rest]: Path, to: unknown): unknown {
  if (first === undefined) return to;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) => (index === first ? changed(item, rest, to) : item));
  }
  const object = value as Record<string, unknown>;
  return { ...object, [first]: changed(object[first], rest, to) };
}

/** Values that a field never has: missing, null, of another type, and another text. */
export const WRONG_VALUES: readonly unknown[] = [undefined, null, { unexpected: true }, 'another'];

type Path = readonly (string | number)[];

/** Elements of each list whose fields are changed. */
const ELEMENTS = 2;

/** Paths of all fields of a JSON value. */
export function fieldPaths(value: unknown, at: Path = []): Path[] {
  if (Array.isArray(value)) {
    return value.slice(0, ELEMENTS).flatMap((item, index) => fieldPaths(item, [...at, index]));
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

/** Values that a field never has: missing, null, and of another type. */
export const WRONG_VALUES: readonly unknown[] = [undefined, null, { unexpected: true }];

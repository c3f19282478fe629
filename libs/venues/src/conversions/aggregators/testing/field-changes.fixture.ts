type Path = readonly string[];

/** Paths of all fields of a JSON object; those of a list's entries are left out. */
export function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...at, name],
    ...pathsIn(inner, [...at, name]),
  ]);
}

/** Copies a JSON object with one other field. */
export function withField(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to;
  const fields = value as Record<string, unknown>;
  return { ...fields, [name]: withField(fields[name], rest, to) };
}

/** Values that a field never has: none, another type, another text, another address and another amount. */
export const WRONG_VALUES: readonly unknown[] = [
  undefined,
  null,
  { unexpected: true },
  'another',
  '0x00000000000000000000000000000000000000ee',
  '7',
];

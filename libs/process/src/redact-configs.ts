type Fields = Record<string, unknown>;

const DEPTH = 4;

const isPlain = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);

/** Replaces configurations by their `toJSON` before redaction, whose copies lose that method. */
export const redactConfigs = (fields: object): Fields => shown(fields, DEPTH) as Fields;

function shown(value: unknown, depth: number): unknown {
  if (!isPlain(value)) return value;
  if (typeof value.toJSON === 'function') return (value as { toJSON(): unknown }).toJSON();
  if (depth === 0) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, shown(field, depth - 1)]),
  );
}

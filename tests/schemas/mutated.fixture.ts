/** Replaces, or with `undefined` removes, the value at a path such as `quotes.0.fees`. */
export type Mutation = [path: string, value: unknown];

/** Copy of an example with one change. */
export function mutated(
  example: Record<string, unknown>,
  [path, value]: Mutation,
): Record<string, unknown> {
  const copy = structuredClone(example);
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let parent: Record<string, unknown> = copy;
  for (const key of keys) parent = parent[key] as Record<string, unknown>;
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return copy;
}

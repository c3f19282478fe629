/** Characters of a hash, with its prefix. */
const HASH_LENGTH = 66;

/**
 * Spells all hashes of a node's answer in lower case, in place. Nodes accept any spelling of a hash: one that lies could tell
 * one transaction under two names.
 */
export function inOneSpelling<T>(answer: T): T {
  return spelled(answer) as T;
}

function spelled(value: unknown): unknown {
  if (typeof value === 'string') return isInCapitals(value) ? value.toLowerCase() : value;
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const [name, field] of Object.entries(fields)) {
    const one = spelled(field);
    if (one !== field) fields[name] = one;
  }
  return value;
}

const isInCapitals = (text: string): boolean => text.length === HASH_LENGTH && /[A-FX]/.test(text);

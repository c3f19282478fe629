import { UnreadableAnswer } from '../wire/json-object.js';

const MAX_DEPTH = 12;

const snakeName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Spells field names in snake case and drops empty texts: Coinbase's APIs use both spellings, and an empty text where
 * there is no value.
 * @throws UnreadableAnswer
 */
export function snakeCased(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new UnreadableAnswer('answer', 'a shallow object');
  if (Array.isArray(value)) return value.map((item) => snakeCased(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== '')
      .map(([name, inner]) => [snakeName(name), snakeCased(inner, depth + 1)]),
  );
}

/** Body of a v1 response: documented with and without a wrapper `data`. */
export function unwrapped(body: unknown): unknown {
  const isObject = typeof body === 'object' && body !== null;
  return isObject && 'data' in body ? body.data : body;
}

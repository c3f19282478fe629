import { inspect } from 'node:util';

/**
 * A frozen configuration that shows itself, to `inspect`, JSON and the logger, as the parsed variables it was made of: a
 * copy of what masks its secrets would not mask them.
 */
export function freezeConfig<T extends object>(original: object, copy: T): Readonly<T> {
  const toJSON = (): unknown => JSON.parse(JSON.stringify(original, amountsAsText));
  return Object.freeze(
    Object.defineProperties(copy, {
      [inspect.custom]: { value: toJSON },
      toJSON: { value: toJSON },
    }),
  );
}

/** A bigint has no JSON of its own. */
const amountsAsText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

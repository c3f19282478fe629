import { inspect } from 'node:util';

/**
 * Freezes a configuration that `inspect`, JSON and the logger print as its parsed variables, with secrets masked. A
 * plain copy would print the secrets.
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

/** Writes bigints as text, since JSON has none. */
const amountsAsText = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

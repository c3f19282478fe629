import { UnreadableAnswer, type JsonObject } from './json-object.js';

/**
 * Tells whether an entry's keys are of the provider's test mode, by their prefixes such as `sk_test_`. Keys of both
 * modes, and test keys without `sandbox` or live keys with it, would mix play money and real money.
 *
 * @throws UnreadableAnswer
 */
export function readTestMode(entry: JsonObject, fields: readonly string[]): boolean {
  const modes = new Set(fields.map((field) => modeOf(entry, field)));
  const [mode] = modes;
  const isSandbox = entry.has('sandbox') && entry.boolean('sandbox');
  if (modes.size !== 1 || isSandbox !== (mode === 'test')) {
    throw new UnreadableAnswer(
      fields.join(' and '),
      'of one mode: test keys with "sandbox": true, or live keys without it',
    );
  }
  return isSandbox;
}

function modeOf(entry: JsonObject, field: string): string {
  const [, mode] = /^[a-z]{2}_(test|live)_/.exec(entry.string(field)) ?? [];
  if (mode !== undefined) return mode;
  throw new UnreadableAnswer(field, 'a key with the prefix of its mode');
}

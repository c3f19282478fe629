import { decimal, type Decimal } from '@bascule/amounts';
import { UnreadableResponseError } from '../../upstream/unreadable-response-error.js';

/** Number of a JSON document as text; a `number` would round it. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;
const MAX_DIGITS = 100;

/** Parses JSON and keeps numbers as text. */
const parseJsonExactly = (text: string): unknown =>
  JSON.parse(text, (_key, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' ? new JsonNumber(context?.source ?? '') : value,
  );

export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof JsonNumber);

/**
 * Parses a JSON object and keeps its numbers as text.
 * @throws UnreadableResponseError for any other document
 */
export function readJsonObject(text: string): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = parseJsonExactly(text);
  } catch (error) {
    throw new UnreadableResponseError('expected JSON', { cause: error });
  }
  if (!isJsonObject(answer)) throw new UnreadableResponseError('expected a JSON object');
  return answer;
}

/** Converts a number above zero exactly, exponent included; null for anything else. */
export function positiveDecimal(value: unknown): Decimal | null {
  if (!(value instanceof JsonNumber) || value.text.length > MAX_DIGITS) return null;
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(value.text) ?? [];
  if (whole === undefined) return null;
  const coefficient = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  if (coefficient === 0n) return null;
  return scale >= 0 ? decimal(coefficient, scale) : decimal(coefficient * 10n ** BigInt(-scale));
}

import { decimal, type Decimal } from '@bascule/amounts';
import { UnreadableAnswerError } from '../../upstream/unreadable-answer.js';

/** A number of a JSON document as it is written there; a `number` would round it. */
export class JsonNumber {
  constructor(readonly text: string) {}
}

const NUMBER = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;
const MAX_DIGITS = 100;

/** As `JSON.parse`, but numbers stay texts. */
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
 * The object that a document is, its numbers as they are written.
 * @throws UnreadableAnswerError when it is something else
 */
export function readJsonObject(text: string): Record<string, unknown> {
  let answer: unknown;
  try {
    answer = parseJsonExactly(text);
  } catch (error) {
    throw new UnreadableAnswerError('no JSON', { cause: error });
  }
  if (!isJsonObject(answer)) throw new UnreadableAnswerError('no JSON object');
  return answer;
}

/** Exactly, exponent included; null for what is not a number above zero. */
export function positiveDecimal(value: unknown): Decimal | null {
  if (!(value instanceof JsonNumber) || value.text.length > MAX_DIGITS) return null;
  const [, whole, fraction = '', exponent = '0'] = NUMBER.exec(value.text) ?? [];
  if (whole === undefined) return null;
  const coefficient = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  if (coefficient === 0n) return null;
  return scale >= 0 ? decimal(coefficient, scale) : decimal(coefficient * 10n ** BigInt(-scale));
}

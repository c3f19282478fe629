import type { ValidationErrorCode } from '@bascule/contracts';

export type JsonType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'integer';

interface Rule {
  code: ValidationErrorCode;
  /** The type a value must have before the constraint means anything; another type is `invalid_type`. */
  expected?: JsonType;
}

const type = (expected: JsonType): Rule => ({ code: 'invalid_type', expected });
const format: Rule = { code: 'invalid_format', expected: 'string' };
const value: Rule = { code: 'invalid_value' };

/** Every constraint in use, by class-validator's name for it; one that is not listed is `custom`. */
const CONSTRAINTS: Record<string, Rule> = {
  isString: type('string'),
  isBoolean: type('boolean'),
  isNumber: type('number'),
  isInt: type('integer'),
  isArray: type('array'),
  isObject: type('object'),
  nestedValidation: type('object'),
  isDefined: value,
  isNotEmpty: value,
  isNotEmptyObject: value,
  isIn: value,
  isEnum: value,
  equals: value,
  arrayUnique: { code: 'invalid_value', expected: 'array' },
  min: { code: 'too_small', expected: 'number' },
  max: { code: 'too_big', expected: 'number' },
  isPositive: { code: 'too_small', expected: 'number' },
  minLength: { code: 'too_small', expected: 'string' },
  maxLength: { code: 'too_big', expected: 'string' },
  arrayNotEmpty: { code: 'too_small', expected: 'array' },
  arrayMinSize: { code: 'too_small', expected: 'array' },
  arrayMaxSize: { code: 'too_big', expected: 'array' },
  matches: format,
  isUuid: format,
  isIp: format,
  isUrl: format,
  isIso8601: format,
  isDateString: format,
  isHexadecimal: format,
  isNumberString: format,
  isEvmAddress: format,
  isHex: format,
  isDecimalAmount: format,
  isTokenIdentifier: format,
  isFiatCode: format,
  isProviderName: format,
  isPaginationKey: format,
  isAsset: { code: 'invalid_union', expected: 'string' },
};

export function ruleOf(constraint: string): Rule {
  return CONSTRAINTS[constraint] ?? { code: 'custom' };
}

export function typeOf(given: unknown): string {
  if (given === null) return 'null';
  if (Array.isArray(given)) return 'array';
  return typeof given;
}

export function hasType(given: unknown, expected: JsonType): boolean {
  if (expected === 'integer') return Number.isInteger(given);
  if (expected === 'number') return typeof given === 'number' && Number.isFinite(given);
  return typeOf(given) === expected;
}

import type { JsonSchema } from './json-schema.js';
import { caseless } from './caseless.js';
import { refTo } from './json-schema.js';
import { DAY, HOUR_AND_MINUTE } from './time-patterns.js';

type SchemaOf = (constraints: readonly unknown[]) => JsonSchema;

const number = (value: unknown): number => {
  if (typeof value !== 'number') throw new Error(`Expected a number, found ${String(value)}.`);
  return value;
};

const pattern = (value: unknown): JsonSchema => {
  if (!(value instanceof RegExp)) throw new Error(`Expected a RegExp, found ${String(value)}.`);
  const { source } = value;
  return { type: 'string', pattern: value.ignoreCase ? caseless(source) : source };
};

/** Schema of each class-validator constraint, ours included. */
const CONSTRAINTS: Record<string, SchemaOf> = {
  isString: () => ({ type: 'string' }),
  isBoolean: () => ({ type: 'boolean' }),
  isInt: () => ({ type: 'integer' }),
  isArray: () => ({ type: 'array' }),
  isObject: () => ({}),
  isIn: ([values]) => ({ type: 'string', enum: [...(values as readonly unknown[])] }),
  matches: ([expression]) => pattern(expression),
  isNotEmpty: () => ({ minLength: 1 }),
  minLength: ([length]) => ({ minLength: number(length) }),
  maxLength: ([length]) => ({ maxLength: number(length) }),
  min: ([value]) => ({ minimum: number(value) }),
  max: ([value]) => ({ maximum: number(value) }),
  arrayMinSize: ([size]) => ({ minItems: number(size) }),
  arrayMaxSize: ([size]) => ({ maxItems: number(size) }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: () => ({ uniqueItems: true }),
  isIp: () => ({ anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }], type: 'string' }),
  isIso8601: () => refTo('TimeInput'),
  isUuid: () => refTo('UuidInput'),
  isEvmAddress: () => refTo('AddressInput'),
  isHex: () => refTo('HexInput'),
  isDecimalAmount: () => refTo('AmountInput'),
  isTokenIdentifier: () => refTo('TokenInput'),
  isFiatCode: () => refTo('FiatCodeInput'),
  isAsset: () => refTo('AssetInput'),
  isProviderName: () => refTo('ProviderNameInput'),
  isPaginationKey: () => refTo('PaginationKeyInput'),
};

const ADDRESS = '0x([0-9a-fA-F]{40})?';
const UUID =
  '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}';

/** Formats of requests; `constraint-schemas.spec.ts` compares them with the validators. */
export const INPUT_FORMATS: Record<string, JsonSchema> = {
  TimeInput: {
    description: 'ISO 8601 date, or date and time with its offset, before the year 10000 in UTC.',
    type: 'string',
    pattern: `^${DAY}(T${HOUR_AND_MINUTE}(:[0-5]\\d(\\.\\d{1,9})?)?(Z|[+-]${HOUR_AND_MINUTE}))?$`,
  },
  UuidInput: { description: 'UUID, in any letter case.', type: 'string', pattern: `^${UUID}$` },
  AddressInput: {
    description: 'Address of an account, in any letter case.',
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{40}$',
  },
  HexInput: {
    description: 'Bytes: `0x` and an even number of hex digits.',
    type: 'string',
    pattern: '^0x([0-9a-fA-F]{2})*$',
  },
  AmountInput: {
    description:
      "Decimal string above zero in whole units of its asset, with at most the asset's decimals (further zeros are " +
      'exact).',
    type: 'string',
    pattern: '^([1-9][0-9]*(\\.[0-9]+)?|0\\.0*[1-9][0-9]*)$',
    maxLength: 160,
  },
  TokenInput: {
    description: 'Token identifier `chain:0x…`, in any letter case of its address.',
    type: 'string',
    pattern: `^[a-z]+:${ADDRESS}$`,
  },
  FiatCodeInput: {
    description: 'Fiat code of three letters, in any letter case.',
    type: 'string',
    pattern: '^[a-zA-Z]{3}$',
  },
  AssetInput: {
    description: 'Token identifier or fiat code, in any letter case.',
    type: 'string',
    pattern: `^([a-zA-Z]{3}|[a-z]+:${ADDRESS})$`,
  },
  ProviderNameInput: {
    description: 'Name of a provider, in any letter case.',
    type: 'string',
    pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,63}$',
  },
  PaginationKeyInput: {
    description: 'Pagination key of the previous page: `<payment_id>_<created_at>`.',
    type: 'string',
    pattern:
      '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}_' +
      `${DAY}[Tt]${HOUR_AND_MINUTE}:[0-5]\\d\\.\\d{3}[Zz]$`,
  },
};

/** @throws Error for a constraint that no schema expresses yet */
export function constraintSchema(name: string, constraints: readonly unknown[]): JsonSchema {
  const schemaOf = CONSTRAINTS[name];
  if (schemaOf === undefined) {
    throw new Error(`Constraint ${name} has no schema: add it to constraint-schemas.ts.`);
  }
  return schemaOf(constraints);
}

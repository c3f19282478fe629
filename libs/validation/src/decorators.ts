import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsInt,
  IsObject,
  Max,
  Min,
  ValidateBy,
  ValidateNested,
  buildMessage,
} from 'class-validator';
import type { ValidationOptions } from 'class-validator';
import { isFiatCode, isTokenIdentifier, parsePaginationKey } from '@bascule/contracts';
import { declareNested } from './nested-types.js';

const DECIMAL = /^(0|[1-9][0-9]*)(\.[0-9]+)?$/;
const MAX_DECIMAL_LENGTH = 160;
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const HEX = /^0x([0-9a-fA-F]{2})*$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const PROVIDER_NAME = /^[a-z][a-z0-9_-]{0,63}$/;

type StringTest = (value: string) => boolean;

const isString =
  (name: string, description: string, test: StringTest) =>
  (options?: ValidationOptions): PropertyDecorator =>
    ValidateBy(
      {
        name,
        validator: {
          validate: (value) => typeof value === 'string' && test(value),
          defaultMessage: buildMessage(
            (each) => `${each}$property must be ${description}`,
            options,
          ),
        },
      },
      options,
    );

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapStrings(item, change));
  return typeof value === 'string' ? change(value) : value;
}

/** Requests may use any letter case; inside, and in responses, it is lower. */
const normalised = (decorator: PropertyDecorator, change: (text: string) => string) =>
  applyDecorators(
    Transform(({ value }) => mapStrings(value, change)),
    decorator,
  );

const lowerCase = (text: string): string => text.toLowerCase();
/** Chain names are lower case in every identifier, so only the address is changed. */
const lowerCaseAddress = (text: string): string =>
  text.replace(/:0x[0-9a-fA-F]*$/i, (address) => address.toLowerCase());
const lowerCaseAsset = (text: string): string =>
  text.includes(':') ? lowerCaseAddress(text) : text.toLowerCase();

export const IsDecimalAmount = isString(
  'isDecimalAmount',
  'a decimal string such as "12.5"',
  (text) => text.length <= MAX_DECIMAL_LENGTH && DECIMAL.test(text),
);
export const IsEvmAddress = isString('isEvmAddress', 'an address: 0x and 40 hex digits', (text) =>
  EVM_ADDRESS.test(text),
);
export const IsHexBytes = isString('isHex', '0x and an even number of hex digits', (text) =>
  HEX.test(text),
);
/** Any UUID: an unknown one is not found, rather than malformed. */
export const IsUuid = isString('isUuid', 'a UUID', (text) => UUID.test(text));

export const IsPaginationKey = isString(
  'isPaginationKey',
  'the pagination key of another page',
  (text) => parsePaginationKey(text) !== null,
);

/** `chain:0x…`; the address becomes lower case. */
export const IsTokenIdentifier = (options?: ValidationOptions): PropertyDecorator =>
  normalised(
    isString(
      'isTokenIdentifier',
      'a token identifier such as "chain:0x…"',
      isTokenIdentifier,
    )(options),
    lowerCaseAddress,
  );

/** A three-letter code; becomes lower case. */
export const IsFiatCode = (options?: ValidationOptions): PropertyDecorator =>
  normalised(isString('isFiatCode', 'a three-letter fiat code', isFiatCode)(options), lowerCase);

/** A token identifier or a fiat code; becomes lower case. */
export const IsAsset = (options?: ValidationOptions): PropertyDecorator =>
  normalised(
    isString(
      'isAsset',
      'a token identifier such as "chain:0x…" or a fiat code',
      (text) => isTokenIdentifier(text) || isFiatCode(text),
    )(options),
    lowerCaseAsset,
  );

/** Becomes lower case. */
export const IsProviderName = (options?: ValidationOptions): PropertyDecorator =>
  normalised(
    isString('isProviderName', "a provider's name", (text) => PROVIDER_NAME.test(text))(options),
    lowerCase,
  );

const BOOLEANS: Record<string, boolean> = { true: true, '1': true, false: false, '0': false };

/** For query strings: `true`, `false`, `1` or `0`. */
export const IsQueryBoolean = (options?: ValidationOptions): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (BOOLEANS[value] ?? value) : value,
    ),
    IsBoolean(options),
  );

/** For query strings: digits that make an integer of a range, both ends included. */
export const IsQueryInteger = (from: number, to: number): PropertyDecorator =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ),
    IsInt(),
    Min(from),
    Max(to),
  );

/** An object of its own DTO class; `@ValidateNested()` alone would accept its absence. */
export const IsNested = (dto: () => new () => object): PropertyDecorator =>
  applyDecorators(
    IsObject(),
    ValidateNested(),
    Type(dto),
    declareNested({ isArray: false, classOf: dto }),
  );

/** An object whose `property` names its DTO class; the first class reports the problems of an unknown name. */
export const IsNestedOneOf = (
  property: string,
  classes: Readonly<Record<string, new () => object>>,
): PropertyDecorator => {
  const subTypes = Object.entries(classes).map(([name, value]) => ({ name, value }));
  const [first] = subTypes;
  if (!first) throw new Error('expected at least one class');
  return applyDecorators(
    IsObject(),
    ValidateNested(),
    Type(() => first.value, {
      discriminator: { property, subTypes },
      keepDiscriminatorProperty: true,
    }),
    declareNested({
      isArray: false,
      discriminator: { property, names: Object.keys(classes) },
      classOf: (value) => {
        const given = Object.entries(value).find(([key]) => key === property);
        return subTypes.find(({ name }) => name === given?.[1])?.value ?? first.value;
      },
    }),
  );
};

/** An array of objects of a DTO class. */
export const IsNestedArray = (dto: () => new () => object): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    ValidateNested(),
    Type(dto),
    declareNested({ isArray: true, classOf: dto }),
  );

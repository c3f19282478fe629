import 'reflect-metadata';
import {
  IsAsset,
  IsDecimalAmount,
  IsEvmAddress,
  IsFiatCode,
  IsHexBytes,
  IsPaginationKey,
  IsProviderName,
  IsTokenIdentifier,
  IsUuid,
  RequestValidationPipe,
} from '@bascule/validation';
import { describe, expect, it } from '@jest/globals';
import { caseless } from './caseless.js';
import { constraintSchema, INPUT_FORMATS } from './constraint-schemas.js';

const DECORATORS = {
  UuidInput: IsUuid,
  AddressInput: IsEvmAddress,
  HexInput: IsHexBytes,
  AmountInput: IsDecimalAmount,
  TokenInput: IsTokenIdentifier,
  FiatCodeInput: IsFiatCode,
  AssetInput: IsAsset,
  ProviderNameInput: IsProviderName,
  PaginationKeyInput: IsPaginationKey,
};

const UUID = '0190b2c3-0000-7000-8000-000000000001';
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const TEXTS = [
  '',
  ...[UUID, UUID.toUpperCase(), UUID.slice(1), UUID.replace('-7', '-9'), `${UUID} `],
  ...[ADDRESS, ADDRESS.toLowerCase(), ADDRESS.slice(0, -1), '0x', '0x1', '0xab', 'ab', '0xzz'],
  ...[`alphanet:${ADDRESS}`, 'alphanet:0x', `Alphanet:${ADDRESS}`, 'alphanet:', 'base1:0x', ':0x'],
  ...['usd', 'USD', 'us', 'usdc', 'u5d', '1', '0', '01', '1.', '1.50', '.5', '-1', '1e3', '0.0'],
  ...['swiftramp', 'SwiftRamp', 'a_b-c', '-a', '9a', 'a'.repeat(64), 'a'.repeat(65), 'a b'],
  ...[`${UUID}_2026-11-24T17:05:09.120Z`, `${UUID}_2026-11-24`, `${UUID}_`, '9'.repeat(161)],
];

const matches = (name: keyof typeof DECORATORS, text: string): boolean => {
  const { pattern = '', maxLength = Infinity } = INPUT_FORMATS[name] ?? {};
  return new RegExp(pattern, 'u').test(text) && text.length <= maxLength;
};

async function isValid(decorator: (typeof DECORATORS)['UuidInput'], value: string) {
  class FormatDto {
    value!: string;
  }
  decorator()(FormatDto.prototype, 'value');
  const pipe = new RequestValidationPipe();
  return pipe.transform({ value }, { type: 'body', metatype: FormatDto }).then(
    () => true,
    () => false,
  );
}

describe('the format of a request field', () => {
  it.each(Object.entries(DECORATORS))(
    '%s accepts what its validator accepts',
    async (name, decorator) => {
      const judged = TEXTS.map((text) => [text, matches(name as keyof typeof DECORATORS, text)]);
      const expected = await Promise.all(
        TEXTS.map(async (text) => [text, await isValid(decorator, text)]),
      );
      expect(judged).toEqual(expected);
      expect(new Set(expected.map(([, valid]) => valid)).size).toBe(2);
    },
  );

  it('is refused when its validator is unknown', () => {
    expect(() => constraintSchema('isFoo', [])).toThrow('Constraint isFoo has no schema');
  });
});

describe('caseless', () => {
  it.each([
    ['^([0-9a-f]-?)+$', ['Ab-9', 'ab-9'], ['g']],
    ['^(?!(?:host|te-.*)$)[A-Za-z]+$', ['hosts'], ['HOST', 'Host', 'TE-x']],
  ])('matches any letter case of %s', (source, accepted, refused) => {
    const pattern = new RegExp(caseless(source), 'u');
    expect(accepted.filter((text) => !pattern.test(text))).toEqual([]);
    expect(refused.filter((text) => pattern.test(text))).toEqual([]);
  });
});

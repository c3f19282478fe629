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
import { IsTimestamp } from '../../apps/webhook-dispatch/src/webhooks/is-timestamp.dto.js';
import { caseless } from './caseless.js';
import { constraintSchema, INPUT_FORMATS } from './constraint-schemas.js';

const DECORATORS = {
  UuidInput: IsUuid,
  AddressInput: IsEvmAddress,
  HexInput: IsHexBytes,
  TokenInput: IsTokenIdentifier,
  FiatCodeInput: IsFiatCode,
  AssetInput: IsAsset,
  ProviderNameInput: IsProviderName,
  PaginationKeyInput: IsPaginationKey,
  TimeInput: IsTimestamp,
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
  ...['1.50', '10.0', '0.0', '0.00', '0.01', '0.010', '9'.repeat(160), '9'.repeat(161)],
  ...[`${UUID}_2026-11-24`, `${UUID}_`],
];
const TIMES = [
  ...['2026-11-24', '2026-11-24T17:05Z', '2026-11-24T17:05:09+01:00', '2026-11-24T17:05:09.1Z'],
  ...['2026-11-24T17:05', '2026-11-24T24:00Z', '2026-11-24T17:60Z', '2026-11-24T17:05+24:00'],
  ...['2026-00-10', '2026-13-10', '2026-04-31', '2026-01-31', '2026-02-29', '2028-02-29'],
  ...['2000-02-29', '1900-02-29', '0000-02-29', '0000-01-01', '0001-01-01', '0400-02-29'],
  ...['2026-11-24T17:05:09.120Z', '2026-02-30T17:05:09.120Z', '0000-11-24T17:05:09.120Z'],
];

const ALL = [...TEXTS, ...TIMES, ...TIMES.map((time) => `${UUID}_${time}`)];

const matches = (name: string, text: string): boolean => {
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
      const judged = ALL.map((text) => [text, matches(name, text)]);
      const expected = await Promise.all(
        ALL.map(async (text) => [text, await isValid(decorator, text)]),
      );
      expect(judged).toEqual(expected);
      expect(new Set(expected.map(([, valid]) => valid)).size).toBe(2);
    },
  );

  it('AmountInput accepts what its validator accepts but zero, which is `too_small`', async () => {
    for (const text of ALL) {
      const isValidAmount = (await isValid(IsDecimalAmount, text)) && Number(text) > 0;
      expect([text, matches('AmountInput', text)]).toEqual([text, isValidAmount]);
    }
  });

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

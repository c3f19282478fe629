import { describe, expect, it } from '@jest/globals';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  Equals,
  IsArray,
  IsBoolean,
  IsIP,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
} from 'class-validator';
import { ServiceError } from '@bascule/contracts';
import {
  IsAsset,
  IsDecimalAmount,
  IsEvmAddress,
  IsFiatCode,
  IsHexBytes,
  IsNested,
  IsNestedArray,
  IsNestedOneOf,
  IsPaginationKey,
  IsProviderName,
  IsQueryBoolean,
  IsQueryInteger,
  IsTokenIdentifier,
  IsUuid,
} from './decorators.js';
import { RequestValidationPipe } from './request-validation.pipe.js';

class CallDto {
  @IsEvmAddress() target!: string;
  @IsHexBytes() data!: string;
}
class InnerDto {
  @IsIn(['FIXED_INPUT']) kind!: string;
  @IsDecimalAmount() amount!: string;
  @IsOptional() @IsNestedArray(() => CallDto) @ArrayMaxSize(3) calls?: CallDto[];
}
class OuterDto {
  @IsNested(() => InnerDto) request!: InnerDto;
  @IsOptional() @IsString() @MaxLength(5) label?: string;
  @IsOptional() @IsArray() @IsString({ each: true }) @MaxLength(3, { each: true }) tags?: string[];
  @IsOptional() @IsInt() @Min(1) @Max(60) minutes?: number;
  @IsOptional() @IsBoolean() flag?: boolean;
}
class CardDto {
  @IsIn(['card', 'bank']) kind!: string;
  @IsString() number!: string;
}
class BankDto {
  @IsIn(['card', 'bank']) kind!: string;
  @IsString() iban!: string;
}
class PaidDto {
  @IsNestedOneOf('kind', { card: CardDto, bank: BankDto }) by!: CardDto | BankDto;
}
class ScalarsDto {
  @IsOptional() @IsAsset() asset?: string;
  @IsOptional() @IsArray() @IsAsset({ each: true }) assets?: string[];
  @IsOptional() @IsTokenIdentifier() token?: string;
  @IsOptional() @IsFiatCode() fiat?: string;
  @IsOptional() @IsArray() @IsProviderName({ each: true }) onramps?: string[];
  @IsOptional() @IsUuid() uuid?: string;
  @IsOptional() @IsIP() ip?: string;
  @IsOptional() @IsString() @MinLength(2) @Matches(/^a/) text?: string;
  @IsOptional() @IsString() @IsNotEmpty() filled?: string;
  @IsOptional() @Equals('x') same?: string;
  @IsOptional() @IsArray() @ArrayMinSize(1) @ArrayUnique() list?: unknown[];
}
class QueryDto {
  @IsOptional() @IsQueryBoolean() sandbox?: boolean;
  @IsOptional() @IsQueryInteger(1, 500) limit?: number;
  @IsOptional() @IsPaginationKey() pagination_key?: string;
}

const pipe = new RequestValidationPipe();
const parse = (metatype: new () => object, value: unknown) =>
  pipe.transform(value, { type: 'body', metatype });

async function problems(metatype: new () => object, value: unknown): Promise<unknown[]> {
  try {
    await parse(metatype, value);
  } catch (error) {
    if (error instanceof ServiceError) return [...error.errors];
    throw error;
  }
  return [];
}

const good = { request: { kind: 'FIXED_INPUT', amount: '1.5' } };

describe('validation of a request', () => {
  it('accepts valid input and ignores unknown fields, also nested ones', async () => {
    const parsed = await parse(OuterDto, {
      ...good,
      request: { ...good.request, extra: 1 },
      unknown: true,
    });
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(good);
    expect(parsed).toBeInstanceOf(OuterDto);
  });

  it('parses an object by the class that a property names', async () => {
    const by = { kind: 'bank', iban: 'x' };
    const parsed = await parse(PaidDto, { by: { ...by, number: '1' } });
    expect(parsed).toMatchObject({ by });
    expect(parsed).toMatchObject({ by: expect.any(BankDto) });
    expect(await problems(PaidDto, { by: { kind: 'bank', number: '1' } })).toMatchObject([
      { path: ['by', 'iban'] },
    ]);
    for (const kind of ['cash', 'constructor', 5, undefined]) {
      const [problem] = await problems(PaidDto, { by: { kind, number: '1' } });
      expect(problem).toMatchObject({ path: ['by', 'kind'] });
    }
    for (const wrong of [null, 'bank', undefined]) {
      expect(await problems(PaidDto, { by: wrong })).toMatchObject([
        { code: 'invalid_type', expected: 'object', path: ['by'] },
      ]);
    }
  });

  it('reports every problem together, with numeric indices, in the specified shape', async () => {
    const address = `0x${'1'.repeat(40)}`;
    const errors = await problems(OuterDto, {
      request: {
        kind: 'OTHER',
        amount: 1.5,
        calls: [{ target: address, data: '0x' }, { target: 'nowhere', data: '0x1' }, 7],
      },
      label: 'too long',
      tags: ['ok', 5, 'long'],
      minutes: '10',
      flag: 'true',
    });
    expect(errors).toEqual([
      { code: 'invalid_value', path: ['request', 'kind'], message: expect.any(String) },
      {
        code: 'invalid_type',
        expected: 'string',
        path: ['request', 'amount'],
        message: 'Expected string, received number.',
      },
      {
        code: 'invalid_format',
        path: ['request', 'calls', 1, 'target'],
        message: expect.any(String),
      },
      {
        code: 'invalid_format',
        path: ['request', 'calls', 1, 'data'],
        message: expect.any(String),
      },
      {
        code: 'invalid_type',
        expected: 'object',
        path: ['request', 'calls', 2],
        message: 'Expected object, received number.',
      },
      { code: 'too_big', path: ['label'], message: expect.any(String) },
      {
        code: 'invalid_type',
        expected: 'string',
        path: ['tags', 1],
        message: 'Expected string, received number.',
      },
      { code: 'too_big', path: ['tags', 2], message: expect.any(String) },
      {
        code: 'invalid_type',
        expected: 'integer',
        path: ['minutes'],
        message: 'Expected integer, received string.',
      },
      {
        code: 'invalid_type',
        expected: 'boolean',
        path: ['flag'],
        message: 'Expected boolean, received string.',
      },
    ]);
  });

  it.each([undefined, {}])('lists the missing fields when the body is %p', async (body) => {
    expect(await problems(OuterDto, body)).toEqual([
      {
        code: 'invalid_type',
        expected: 'object',
        path: ['request'],
        message: 'Expected object, received nothing.',
      },
    ]);
  });

  it.each([[[]], ['text'], [7], [true]])(
    'refuses a body that is not an object: %j',
    async (body) => {
      expect(await problems(OuterDto, body)).toEqual([
        expect.objectContaining({ code: 'invalid_type', expected: 'object', path: [] }),
      ]);
    },
  );

  it.each(['text', [good.request], null])('refuses %j for a nested object', async (request) => {
    expect(await problems(OuterDto, { request })).toEqual([
      expect.objectContaining({ code: 'invalid_type', expected: 'object', path: ['request'] }),
    ]);
  });

  it('treats null in an optional field as absent', async () => {
    const parsed = await parse(OuterDto, { ...good, label: null });
    expect(Object.keys(parsed as object)).toEqual(['request']);
  });

  it('refuses a request nested too deeply', async () => {
    const depth = 200_000;
    const value: unknown = JSON.parse('['.repeat(depth) + ']'.repeat(depth));
    expect(await problems(OuterDto, { ...good, label: value })).toEqual([
      expect.objectContaining({ path: [], message: 'The request is nested too deeply.' }),
    ]);
  });

  it.each([
    ['asset', 'nope:1', 'invalid_union', ['asset']],
    ['asset', 5, 'invalid_type', ['asset']],
    ['assets', ['usd', 'alphanet:0x', '?'], 'invalid_union', ['assets', 2]],
    ['assets', 'usd', 'invalid_type', ['assets']],
    ['token', 'alphanet:0x12', 'invalid_format', ['token']],
    ['fiat', 'euro', 'invalid_format', ['fiat']],
    ['onramps', ['fine', 'not fine'], 'invalid_format', ['onramps', 1]],
    ['uuid', '123', 'invalid_format', ['uuid']],
    ['ip', '1.2.3', 'invalid_format', ['ip']],
    ['text', 'a', 'too_small', ['text']],
    ['filled', '', 'invalid_value', ['filled']],
    ['same', 'y', 'invalid_value', ['same']],
    ['list', [], 'too_small', ['list']],
    ['list', [1, 1], 'invalid_value', ['list']],
  ])('reports for %s with %j: %s at %j', async (field, value, code, path) => {
    expect(await problems(ScalarsDto, { [field]: value })).toEqual([
      expect.objectContaining({ code, path }),
    ]);
  });

  it('reports two problems of one value', async () => {
    expect(await problems(ScalarsDto, { text: 'b' })).toEqual([
      expect.objectContaining({ code: 'invalid_format' }),
      expect.objectContaining({ code: 'too_small' }),
    ]);
  });

  it('converts fiat codes, provider names and token addresses to lower case', async () => {
    const token = `alphanet:0x${'aB'.repeat(20)}`;
    const parsed = await parse(ScalarsDto, {
      asset: 'USD',
      assets: [token, 'EUR'],
      token,
      onramps: ['SwiftRamp'],
    });
    expect(parsed).toEqual({
      asset: 'usd',
      assets: [token.toLowerCase(), 'eur'],
      token: token.toLowerCase(),
      onramps: ['swiftramp'],
    });
  });
});

class UnboundedDto {
  @IsOptional() @IsArray() @IsString({ each: true }) names?: string[];
}

/** Object that counts the reads of its field. */
function probe(): { element: object; reads: () => number } {
  let reads = 0;
  const element = Object.defineProperty({}, 'target', {
    enumerable: true,
    get: () => (reads += 1),
  });
  return { element, reads: () => reads };
}
const times = (count: number, item: unknown): unknown[] =>
  Array.from({ length: count }, () => item);

describe('an array that is too long', () => {
  it('is one problem, and none of its elements is visited', async () => {
    const { element, reads } = probe();
    const calls = times(80_000, element);
    const problem = {
      code: 'too_big',
      path: ['request', 'calls'],
      message: 'calls must contain no more than 3 elements',
    };
    expect(await problems(OuterDto, { request: { ...good.request, calls } })).toEqual([problem]);
    expect(reads()).toBe(0);
    const others = { request: { kind: 'OTHER', amount: '1', calls }, flag: 1 };
    expect(await problems(OuterDto, others)).toEqual([
      problem,
      expect.objectContaining({ path: ['request', 'kind'] }),
      expect.objectContaining({ path: ['flag'] }),
    ]);
  });

  it('has no elements of a wrong type reported, and is not called nested too deeply', async () => {
    expect(await problems(UnboundedDto, { names: times(200_000, 1) })).toEqual([
      {
        code: 'too_big',
        path: ['names'],
        message: 'names must contain no more than 1000 elements',
      },
    ]);
  });

  it('is accepted at its maximum', async () => {
    const call = { target: `0x${'1'.repeat(40)}`, data: '0x' };
    expect(
      await problems(OuterDto, { request: { ...good.request, calls: times(3, call) } }),
    ).toEqual([]);
    expect(await problems(UnboundedDto, { names: times(1_000, 'a') })).toEqual([]);
  });

  it('is refused unvisited in place of an object, also as an element', async () => {
    const { element, reads } = probe();
    const list = times(80_000, element);
    const refused = (...path: (string | number)[]) => [
      {
        code: 'invalid_type',
        expected: 'object',
        path,
        message: 'Expected object, received array.',
      },
    ];
    expect(await problems(OuterDto, { request: list })).toEqual(refused('request'));
    expect(await problems(PaidDto, { by: list })).toEqual(refused('by'));
    expect(await problems(OuterDto, { request: { ...good.request, calls: [list] } })).toEqual(
      refused('request', 'calls', 0),
    );
    expect(reads()).toBe(0);
  });
});

describe('errors of one answer', () => {
  it('are at most 100', async () => {
    expect(await problems(UnboundedDto, { names: times(1_000, 1) })).toHaveLength(100);
  });
});

describe('text that a database cannot store', () => {
  const malformedAt = (...path: (string | number)[]) => ({
    code: 'invalid_format',
    path,
    message: 'Text must not hold U+0000 or half of a surrogate pair.',
  });

  it.each(['a\0b', '\ud800', 'a\udc00b', '\udc00\ud800'])(
    'is refused together with the other problems: %j',
    async (text) => {
      const errors = await problems(OuterDto, {
        ...good,
        label: text,
        tags: ['ok', text],
        flag: 1,
      });
      expect(errors).toEqual([
        expect.objectContaining({ code: 'invalid_type', path: ['flag'] }),
        malformedAt('label'),
        malformedAt('tags', 1),
      ]);
    },
  );

  it('is found in keys, in nested arrays and in fields that are otherwise ignored', async () => {
    const metadata = { list: [['x', 'a\0'], { 'k\0': 'v\0' }], '\ud800': 1 };
    expect(await problems(OuterDto, { ...good, metadata })).toEqual([
      malformedAt('metadata', 'list', 0, 1),
      malformedAt('metadata', 'list', 1, 'k\0'),
      malformedAt('metadata', '\ud800'),
    ]);
  });

  it('is refused as a single parameter of a path or query', async () => {
    const given = pipe.transform('a\0', { type: 'param', metatype: String, data: 'id' });
    await expect(given).rejects.toMatchObject({ errors: [malformedAt('id')] });
  });

  it('is reported a bounded number of times', async () => {
    const long = 'k'.repeat(100_000);
    const errors = await problems(OuterDto, { ...good, [long]: Array<string>(10_000).fill('\0') });
    expect(errors).toHaveLength(20);
  });

  it('does not include characters beyond the basic plane', async () => {
    expect(await problems(OuterDto, { ...good, label: 'a\u{1f600}' })).toEqual([]);
  });
});

describe('validation of a query', () => {
  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('reads the boolean %s', async (text, sandbox) => {
    expect(await parse(QueryDto, { sandbox: text })).toEqual({ sandbox });
  });

  it.each([
    ['1', 1],
    ['500', 500],
    ['007', 7],
  ])('reads the integer %s', async (text, limit) => {
    expect(await parse(QueryDto, { limit: text })).toEqual({ limit });
  });

  it.each([
    ['0', 'too_small'],
    ['501', 'too_big'],
    ['-1', 'invalid_type'],
    ['1e2', 'invalid_type'],
    ['', 'invalid_type'],
    [['1', '2'], 'invalid_type'],
  ])('refuses the integer %j', async (limit, code) => {
    expect(await problems(QueryDto, { limit })).toEqual([
      expect.objectContaining({ code, path: ['limit'] }),
    ]);
  });

  it('accepts a pagination key only', async () => {
    const pagination_key = '0190b2c3-0000-7000-8000-000000000001_2026-11-24T17:05:09.120Z';
    expect(await parse(QueryDto, { pagination_key })).toEqual({ pagination_key });
    expect(await problems(QueryDto, { pagination_key: '2' })).toEqual([
      expect.objectContaining({ code: 'invalid_format', path: ['pagination_key'] }),
    ]);
  });

  it.each(['yes', 'TRUE', '', ['true', 'true']])('refuses the boolean %j', async (sandbox) => {
    expect(await problems(QueryDto, { sandbox })).toEqual([
      expect.objectContaining({ code: 'invalid_type', expected: 'boolean', path: ['sandbox'] }),
    ]);
  });
});

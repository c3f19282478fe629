import { Injectable } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform, Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import { invalidRequest, MAX_REPORTED_ERRORS } from '@bascule/contracts';
import type { ValidationError } from '@bascule/contracts';
import { dropAbsentFields } from './absent-fields.js';
import { boundedInput, withoutStandIns } from './bounded-input.js';
import { typeOf } from './constraint-table.js';
import { malformedTexts } from './malformed-texts.js';
import { toValidationErrors } from './to-validation-errors.js';

const NOT_DTOS: ReadonlySet<unknown> = new Set([String, Boolean, Number, Array, Object, Buffer]);

function isDto(metatype: unknown): metatype is Type<object> {
  return typeof metatype === 'function' && !NOT_DTOS.has(metatype);
}

const NOT_AN_OBJECT = (value: unknown): ValidationError => ({
  code: 'invalid_type',
  expected: 'object',
  path: [],
  message: `Expected object, received ${typeOf(value)}.`,
});

/** Turns a body, query or path into its DTO; reports all problems, converts nothing implicitly, ignores unknown fields. */
@Injectable()
export class RequestValidationPipe implements PipeTransform {
  async transform(value: unknown, { metatype, type, data }: ArgumentMetadata): Promise<unknown> {
    if (type === 'custom') return value;
    if (!isDto(metatype)) {
      if (typeof value === 'string')
        refuse(malformedTexts(value, data === undefined ? [] : [data]));
      return value;
    }
    // Without a body, a list of missing fields is more useful than "expected object".
    const plain = value ?? {};
    if (typeOf(plain) !== 'object') throw invalidRequest(NOT_AN_OBJECT(value));
    try {
      return await parse(metatype, plain);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw invalidRequest({
        code: 'custom',
        path: [],
        message: 'The request is nested too deeply.',
      });
    }
  }
}

async function parse(metatype: Type<object>, plain: object): Promise<object> {
  const { input, problems } = boundedInput(metatype, plain);
  const dto = plainToInstance(metatype, input, { enableImplicitConversion: false });
  const failures = await validate(dto, { whitelist: true, forbidUnknownValues: false });
  refuse([
    ...problems,
    ...withoutStandIns(toValidationErrors(failures), problems),
    ...malformedTexts(input),
  ]);
  dropAbsentFields(dto);
  return dto;
}

function refuse(problems: ValidationError[]): void {
  if (problems.length > 0) throw invalidRequest(...problems.slice(0, MAX_REPORTED_ERRORS));
}

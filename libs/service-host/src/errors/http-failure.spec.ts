import { BadRequestException, NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import {
  conflict,
  forbidden,
  invalidField,
  quotaExceeded,
  unauthenticated,
  unavailable,
} from '@bascule/contracts';
import { failureOf } from './http-failure.js';
import { STATUS_OF } from './http-status.js';

describe('failureOf', () => {
  it.each([
    [invalidField(['amount'], 'Too much.'), 400],
    [unauthenticated('No key.'), 401],
    [forbidden('Not yours.'), 403],
    [conflict('Already confirmed.'), 409],
    [unavailable('Later.'), 503],
  ])('gives a service error its status and its own issues (%s)', (error, status) => {
    expect(failureOf(error)).toMatchObject({ status, body: { errors: error.errors } });
  });

  it.each([
    [unavailable('Later.'), { 'retry-after': '2' }],
    [quotaExceeded('Too many.', 40), { 'retry-after': '40' }],
    [unauthenticated('No key.'), { 'www-authenticate': 'Bearer' }],
    [conflict('Already confirmed.'), {}],
  ])('gives an error the headers of its status (%s)', (error, headers) => {
    expect(failureOf(error).headers).toEqual(headers);
  });

  it('keeps the statuses that the specification names', () => {
    expect(STATUS_OF).toMatchObject({
      invalid_request: 400,
      unauthenticated: 401,
      forbidden: 403,
      not_found: 404,
      conflict: 409,
    });
  });

  it.each([
    new Error('connect ECONNREFUSED payment.internal:5432'),
    new TypeError('SELECT * FROM payments'),
    'a string',
    null,
    undefined,
    { statusCode: 418, message: 'from a library' },
  ])('hides an unexpected error (%p)', (error) => {
    const { status, body } = failureOf(error);
    expect(status).toBe(500);
    expect(body.errors).toEqual([
      { kind: 'unknown', message: expect.stringContaining('internal error') },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/ECONNREFUSED|SELECT|library/);
  });

  it.each([
    ['55P03', 'canceling statement due to lock timeout'],
    ['57P01', 'terminating connection due to administrator command'],
    ['ECONNREFUSED', 'connect ECONNREFUSED payment.internal:5432'],
  ])('answers 503 when the database is busy or unavailable (%s)', (code, text) => {
    const driverError = Object.assign(new Error(text), { code });
    const failed = Object.assign(new Error('query failed'), { driverError });
    const { status, body } = failureOf(new Error('SELECT', { cause: failed }));
    expect(status).toBe(503);
    expect(JSON.stringify(body)).not.toMatch(/SELECT|ECONNREFUSED|lock/);
  });

  it('keeps the status of Nest and Fastify errors but not their text', () => {
    const notFound = failureOf(new NotFoundException('Cannot GET /funding/1?token=secret'));
    expect(notFound.status).toBe(404);
    expect(JSON.stringify(notFound.body)).not.toContain('secret');
    expect(failureOf(new BadRequestException()).status).toBe(400);
    const tooLarge = Object.assign(new Error(), {
      code: 'FST_ERR_CTP_BODY_TOO_LARGE',
      statusCode: 413,
    });
    expect(failureOf(tooLarge).status).toBe(413);
  });
});

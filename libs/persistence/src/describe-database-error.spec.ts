import { describe, expect, it } from '@jest/globals';
import { describeDatabaseError } from './describe-database-error.js';

const database = { url: 'postgres://bascule_quote:hunter2@10.0.0.7:5432/bascule' };
const failure = (message: string, code?: string): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { code });

describe('describeDatabaseError', () => {
  it.each([
    [
      failure('connect ECONNREFUSED', 'ECONNREFUSED'),
      'no answer from 10.0.0.7:5432 (ECONNREFUSED)',
    ],
    [failure('getaddrinfo ENOTFOUND x', 'ENOTFOUND'), 'no answer from 10.0.0.7:5432 (ENOTFOUND)'],
    [
      failure('Connection terminated due to connection timeout'),
      'no answer from 10.0.0.7:5432 (Connection terminated due to connection timeout)',
    ],
    [
      failure('password authentication failed for user "bascule_quote"', '28P01'),
      'password authentication failed for user "bascule_quote"',
    ],
    [failure('database "bascule" does not exist', '3D000'), 'database "bascule" does not exist'],
    [failure('column "x" of Jane does not exist', '42703'), '10.0.0.7:5432 refuses: 42703'],
  ])('describes a failure for the operator, without credentials: %s', (error, expected) => {
    const said = describeDatabaseError(error, database);
    expect(said).toBe(expected);
    expect(said).not.toContain('hunter2');
  });
});

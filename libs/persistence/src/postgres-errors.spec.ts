import { describe, expect, it } from '@jest/globals';
import { isDatabaseBusy, isDatabaseUnavailable, isUniqueViolation } from './postgres-errors.js';

const withCode = (code: string, constraint?: string): Error =>
  Object.assign(new Error('query failed'), { driverError: { code, constraint } });

describe('isUniqueViolation', () => {
  it('finds the violated constraint in a TypeORM error', () => {
    const error = withCode('23505', 'webhooks_org_id_label_key');
    expect(isUniqueViolation(error)).toBe(true);
    expect(isUniqueViolation(error, 'webhooks_org_id_label_key')).toBe(true);
    expect(isUniqueViolation(error, 'webhooks_pkey')).toBe(false);
    expect(isUniqueViolation(withCode('23503'))).toBe(false);
    expect(isUniqueViolation(null)).toBe(false);
  });
});

describe('isDatabaseUnavailable', () => {
  it.each(['08006', '53300', '57P01', '57P05', '25006', 'ECONNREFUSED', 'ECONNRESET'])(
    'treats %s as unavailable',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each(['23505', '22P02', '42P01', '40P01', '57014', '55P03'])(
    'treats %s as an error of the statement',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(false);
    },
  );

  it('recognises driver messages without a code', () => {
    expect(isDatabaseUnavailable(new Error('Connection terminated unexpectedly'))).toBe(true);
    expect(isDatabaseUnavailable(new Error('Query read timeout'))).toBe(true);
    expect(isDatabaseUnavailable(new Error('timeout exceeded when trying to connect'))).toBe(true);
    expect(isDatabaseUnavailable(new Error('the payment is not connected to an owner'))).toBe(
      false,
    );
    expect(isDatabaseUnavailable(new Error('no such payment'))).toBe(false);
  });
});

describe('isDatabaseBusy', () => {
  it.each(['40P01', '40001', '55P03', '57014', '25P03'])('treats %s as busy', (code) => {
    expect(isDatabaseBusy(withCode(code))).toBe(true);
  });

  it('does not treat a rejected statement as busy', () => {
    expect(isDatabaseBusy(withCode('23505'))).toBe(false);
    expect(isDatabaseBusy(new Error('no such payment'))).toBe(false);
  });
});

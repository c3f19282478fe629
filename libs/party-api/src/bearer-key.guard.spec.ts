import { describe, expect, it } from '@jest/globals';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { BearerKeyGuard } from './bearer-key.guard.js';
import { PartyApiError } from './party-api-error.js';

class TestGuard extends BearerKeyGuard {
  protected override expectedKey(): string {
    return 'the key';
  }
}

const requestWith = (authorization?: string) =>
  new ExecutionContextHost([{ headers: { authorization } }]);

describe('BearerKeyGuard', () => {
  it('accepts the expected key', () => {
    expect(new TestGuard().canActivate(requestWith('Bearer the key'))).toBe(true);
  });

  it.each([undefined, '', 'the key', 'Bearer ', 'Bearer the ke', 'Bearer the key '])(
    'refuses the header %j with 401',
    (authorization) => {
      const refused = () => new TestGuard().canActivate(requestWith(authorization));
      expect(refused).toThrow(PartyApiError);
      expect(refused).toThrow(expect.objectContaining({ code: 'unauthorized', status: 401 }));
    },
  );
});

it('PartyApiError adds its fields to the body', () => {
  const error = new PartyApiError('amount_too_low', 422, 'Too low.', { limits: { min: '1' } });
  expect(error.body()).toEqual({
    error: { code: 'amount_too_low', message: 'Too low.', limits: { min: '1' } },
  });
});

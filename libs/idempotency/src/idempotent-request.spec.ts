import { describe, expect, it } from '@jest/globals';
import { idempotentRequest, isIdempotencyKey } from './idempotent-request.js';
import type { RequestParts } from './idempotent-request.js';

const parts: RequestParts = {
  key: 'order-7',
  route: 'POST /payments/confirm',
  bodyHash: 'aa',
  caller: { keyId: 'key-1', kind: 'secret' },
};
const identityOf = (change: Partial<RequestParts> = {}): string =>
  idempotentRequest({ ...parts, ...change }).identity.toString('hex');

describe('an idempotency key', () => {
  it.each(['a', '~', '!', 'x'.repeat(255), '3f0e1c5a-1c8e-4f0b-9d0a-0f1e2d3c4b5a'])(
    'may be %s',
    (key) => expect(isIdempotencyKey(key)).toBe(true),
  );

  it.each(['', 'x'.repeat(256), 'two words', 'one, two', 'tab\t', 'line\n', 'é', '\u007f'])(
    'may not be %j',
    (key) => expect(isIdempotencyKey(key)).toBe(false),
  );
});

describe('the identity of a request', () => {
  it('is a SHA-256 of its API key, route and idempotency key', () => {
    expect(identityOf()).toMatch(/^[0-9a-f]{64}$/);
    expect(identityOf()).toBe(identityOf());
    const others = [
      identityOf({ key: 'order-8' }),
      identityOf({ route: 'POST /payments/withdraw' }),
      identityOf({ caller: { keyId: 'key-2', kind: 'secret' } }),
    ];
    expect(new Set([identityOf(), ...others]).size).toBe(4);
  });

  it('has no two readings', () => {
    const shifted = { key: '7', route: 'POST /payments/confirmorder-' };
    expect(identityOf(shifted)).not.toBe(identityOf());
  });

  it('contains the body for a publishable key only, which all visitors share', () => {
    const caller = { keyId: 'key-1', kind: 'publishable' as const };
    expect(identityOf({ bodyHash: 'bb' })).toBe(identityOf());
    expect(identityOf({ caller, bodyHash: 'bb' })).not.toBe(identityOf({ caller }));
  });
});

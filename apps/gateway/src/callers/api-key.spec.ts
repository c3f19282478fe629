import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bearerKey, hashOfKey, hintOfKey, newApiKey } from './api-key.js';

describe('an API key', () => {
  it.each(['secret', 'publishable'] as const)('is found in its header as a %s key', (kind) => {
    const key = newApiKey(kind);
    expect(key).toMatch(kind === 'secret' ? /^sk_/ : /^pk_/);
    expect(bearerKey(`Bearer ${key}`)).toBe(key);
    expect(bearerKey(`bearer  ${key} `)).toBe(key);
  });

  it.each(['secret', 'publishable'] as const)('shows the test mode of a %s key', (kind) => {
    const key = newApiKey(kind, 'test');
    expect(key).toMatch(kind === 'secret' ? /^sk_test_/ : /^pk_test_/);
    expect(bearerKey(`Bearer ${key}`)).toBe(key);
  });

  it('is not found in any other header value', () => {
    const key = newApiKey('secret');
    for (const header of [
      undefined,
      '',
      key,
      `Basic ${key}`,
      `Bearer ${key}x`,
      `Bearer ${key} ${key}`,
    ]) {
      expect(bearerKey(header)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => expect(bearerKey(`Bearer ${text}`)).toBeUndefined()),
    );
  });

  it('is unique and has a unique hash', () => {
    const keys = Array.from({ length: 100 }, () => newApiKey('secret'));
    expect(new Set(keys.map((key) => hashOfKey(key))).size).toBe(100);
  });

  it('is displayed by its last characters only', () => {
    expect(hintOfKey('sk_abcdefgh1234')).toBe('1234');
  });
});

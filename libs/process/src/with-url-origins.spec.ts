import { describe, expect, it } from '@jest/globals';
import { withUrlOrigins } from './with-url-origins.js';

describe('withUrlOrigins', () => {
  it.each([
    ['no URL at all', 'no URL at all'],
    ['URL: https://rpc.example/v2/KEY?x=1#y', 'URL: https://rpc.example'],
    ['(https://rpc.example:8545/KEY), next', '(https://rpc.example:8545 next'],
    ['wss://rpc.example?key=KEY', 'wss://rpc.example'],
    ['redis://:KEY@cache.example:6379/0', 'redis://cache.example:6379'],
    ['postgres://role:KEY/with@slash@db/x', 'postgres://role'],
    ['http://[::1]:8545/KEY and http://b.example/KEY', 'http://[::1]:8545 and http://b.example'],
    ['at run (file:///app/dist/main.js:1:2)', 'at run (file:///app/dist/main.js:1:2)'],
    ['{"url":"https://a.example/KEY","n":1}', '{"url":"https://a.example","n":1}'],
    ['"https://a.example/KEY\\nnext"', '"https://a.example\\nnext"'],
  ])('makes of %s: %s', (text, expected) => {
    expect(withUrlOrigins(text)).toBe(expected);
  });
});

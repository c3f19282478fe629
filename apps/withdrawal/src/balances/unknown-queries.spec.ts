import type { KeyMode, TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { unknownQueries } from './unknown-queries.js';

const TEST: TokenIdentifier = 'alphanet:0x';
const LIVE: TokenIdentifier = 'base:0x';
const UNLISTED: TokenIdentifier = `base:0x${'1'.repeat(40)}`;
const ELSEWHERE: TokenIdentifier = 'nowhere:0x';

const problemsOf = (mode: KeyMode | undefined, ...tokens: TokenIdentifier[]) =>
  unknownQueries(
    tokens.map((token) => ({ token })),
    {
      isToken: (token) => token !== UNLISTED,
      isTestChain: (name) => ({ alphanet: true, base: false })[name],
      mode,
    },
  );

describe('a custom query of balances', () => {
  it('names listed tokens of any chain with a live key', () => {
    for (const mode of ['live', undefined] as const) {
      expect(problemsOf(mode, TEST, UNLISTED, LIVE, ELSEWHERE)).toEqual([
        { code: 'custom', path: ['custom_queries', 1, 'token'], message: 'Unknown token.' },
        { code: 'custom', path: ['custom_queries', 3, 'token'], message: 'Unknown token.' },
      ]);
    }
  });

  it('names tokens of test chains only with a test key', () => {
    const message = 'Unknown token. Test keys use test chains only.';
    expect(problemsOf('test', TEST, LIVE, ELSEWHERE)).toEqual([
      { code: 'custom', path: ['custom_queries', 1, 'token'], message },
      { code: 'custom', path: ['custom_queries', 2, 'token'], message },
    ]);
  });
});

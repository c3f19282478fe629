import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { ConfigurationError, parseConfig } from '@bascule/process';
import { sealedTokenEnv } from './index.js';

const k = Buffer.alloc(32, 7).toString('base64url');
const parse = (value: string) => parseConfig({ STATE_TOKEN_KEYS: value }, sealedTokenEnv);

describe('STATE_TOKEN_KEYS', () => {
  it('is a list of keys', () => {
    expect(parse(JSON.stringify([{ kid: 'a', k }])).STATE_TOKEN_KEYS.current).toEqual([
      { kid: 'a', k },
    ]);
  });

  it.each([
    '',
    'x',
    '[]',
    '{}',
    JSON.stringify([{ kid: 'a', k: 'c2hvcnQ' }]),
    JSON.stringify([{ k }]),
    JSON.stringify([
      { kid: 'a', k },
      { kid: 'a', k },
    ]),
  ])('refuses %s', (value) => {
    expect(() => parse(value)).toThrow(ConfigurationError);
  });

  it('is never printed', () => {
    expect(inspect(parse(JSON.stringify([{ kid: 'a', k }])))).not.toContain(k);
  });
});

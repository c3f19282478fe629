import { describe, expect, it } from '@jest/globals';
import { tooManyTokens, unknownReferences } from './unknown-references.js';

const known = {
  isFiat: (code: string): boolean => code === 'usd',
  isChain: (name: string): boolean => name === 'alphanet',
};
const paths = (body: unknown): (string | number)[][] =>
  unknownReferences(body, known).map(({ path }) => path);

describe('unknownReferences', () => {
  it('reports every token of an unknown chain', () => {
    expect(
      unknownReferences({ fiat: 'USD', tokens: ['alphanet:0x', 'nowhere:0x', 'void:0x'] }, known),
    ).toEqual([
      { code: 'custom', path: ['tokens', 1], message: 'Unknown chain nowhere.' },
      { code: 'custom', path: ['tokens', 2], message: 'Unknown chain void.' },
    ]);
  });

  it('reports an unknown currency beside unknown chains', () => {
    expect(unknownReferences({ fiat: 'XYZ', tokens: ['nowhere:0x'] }, known)).toEqual([
      { code: 'custom', path: ['fiat'], message: 'No current price of xyz.' },
      { code: 'custom', path: ['tokens', 0], message: 'Unknown chain nowhere.' },
    ]);
  });

  it.each([[null], ['text'], [{}], [{ fiat: 1, tokens: 'alphanet:0x' }], [{ tokens: [1, 'bad'] }]])(
    'ignores malformed input, which the schema check reports: %j',
    (body) => {
      expect(paths(body)).toEqual([]);
    },
  );
});

describe('tooManyTokens', () => {
  it('refuses more tokens than the limit of a request', () => {
    expect(tooManyTokens({ tokens: ['a', 'b'] }, 2)).toEqual([]);
    expect(tooManyTokens({ tokens: ['a', 'b', 'c'] }, 2)).toEqual([
      { code: 'too_big', path: ['tokens'], message: 'Expected at most 2 tokens.' },
    ]);
  });

  it.each([[null], ['text'], [{}], [{ tokens: 'abc' }]])(
    'ignores malformed input, which the schema check reports: %j',
    (body) => {
      expect(tooManyTokens(body, 2)).toEqual([]);
    },
  );
});

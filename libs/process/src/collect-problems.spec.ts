import { describe, expect, it } from '@jest/globals';
import { collectProblems } from './collect-problems.js';
import { ConfigurationError } from './configuration-error.js';

const refuse = (...problems: string[]) => {
  throw new ConfigurationError(problems);
};

describe('collectProblems', () => {
  it('returns the result of each parser', () => {
    const { port, chains } = collectProblems({ port: () => 8080, chains: () => ['alphanet'] });
    expect([port, chains]).toEqual([8080, ['alphanet']]);
  });

  it('lists the problems of all parsers', () => {
    const parse = () =>
      collectProblems({
        own: () => refuse('PORT: is missing'),
        name: () => 'fine',
        chains: () => refuse('CHAINS: unknown chain', 'RPC_URLS: none'),
      });
    expect(parse).toThrow(
      new ConfigurationError(['PORT: is missing', 'CHAINS: unknown chain', 'RPC_URLS: none']),
    );
  });

  it('rethrows an error that is no configuration problem', () => {
    const broken = () => {
      throw new TypeError('a bug');
    };
    expect(() => collectProblems({ broken })).toThrow(TypeError);
  });
});

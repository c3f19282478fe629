import { ConfigurationError } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { parseQuoteConfig } from './quote.config.js';

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    parseQuoteConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [...error.problems];
    throw error;
  }
}

describe('parseQuoteConfig', () => {
  it('reports every problem, those of the chains included', () => {
    const problems = problemsOf({
      ...{ FEE_RECEIVER: '0x12', CHAINS: 'alphanet,nowhere' },
      ...{ EDGE_RULES: '[{}]', ASSET_SCOPE: 'some', MAX_FEE_SHARE_BPS: '0' },
    });
    const names = problems.map((problem) => problem.slice(0, problem.indexOf(':')));
    expect(names).toEqual(
      expect.arrayContaining([
        'PORT',
        'DATABASE_URL',
        'PROVIDERS',
        'STATE_TOKEN_KEYS',
        'FEE_RECEIVER',
        'EDGE_RULES',
        'ASSET_SCOPE',
        'MAX_FEE_SHARE_BPS',
        'RPC_URLS_ALPHANET',
        'CHAINS',
      ]),
    );
  });
});

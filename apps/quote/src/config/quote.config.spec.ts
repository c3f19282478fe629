import { ConfigurationError } from '@bascule/process';
import { internalTokens } from '@bascule/testing';
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

const COMPLETE: NodeJS.ProcessEnv = {
  ...internalTokens().env,
  ...{ HOST: '127.0.0.1', PORT: '0', ENVIRONMENT: 'test' },
  DATABASE_URL: 'postgres://quote@127.0.0.1/quote',
  ...{ CHAINS: 'alphanet', RPC_URLS_ALPHANET: 'http://127.0.0.1:9' },
  STATE_TOKEN_KEYS: JSON.stringify([{ kid: 'one', k: Buffer.alloc(32, 7).toString('base64url') }]),
  FEE_RECEIVER: '0x00000000000000000000000000000000000000AA',
  PROVIDERS: '[]',
};

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

  it('refuses aggregators that would hold up quotes until their chain times out', () => {
    const lifi = { name: 'lifi', adapter: 'lifi', base_url: 'https://li.quest/v1' };
    const problems = (settings: NodeJS.ProcessEnv, timeout?: number) =>
      problemsOf({
        ...COMPLETE,
        AGGREGATORS: JSON.stringify([{ ...lifi, timeout_ms: timeout }]),
        ...settings,
      });
    expect(problems({})).toEqual([]);
    expect(problems({}, 2_000)).toEqual([
      expect.stringMatching(/^AGGREGATORS: .* of lifi at most/),
    ]);
    expect(problems({ CHAIN_TIMEOUT_MS: '6000' }, 2_000)).toEqual([]);
  });
});

import { formatDecimal } from '@bascule/amounts';
import { ConfigurationError } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { parseCatalogueConfig } from './catalogue.config.js';

const complete: NodeJS.ProcessEnv = {
  PORT: '0',
  DATABASE_URL: 'postgres://catalogue@127.0.0.1/bascule',
  INTERNAL_TOKEN_PUBLIC_KEYS: JSON.stringify({
    keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'a', x: Buffer.alloc(32, 1).toString('base64url') }],
  }),
  CHAINS: 'alphanet',
  RPC_URLS_ALPHANET: 'http://127.0.0.1:8545',
};

function problemsOf(env: NodeJS.ProcessEnv): string[] {
  try {
    parseCatalogueConfig(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [...error.problems];
    throw error;
  }
}

describe('parseCatalogueConfig', () => {
  it('needs nothing but where things are', () => {
    expect(problemsOf(complete)).toEqual([]);
    const { fiatRates, priceMaxAgeMs, republishPricesAfterMs } = parseCatalogueConfig(complete);
    expect([...fiatRates.keys()]).toEqual(expect.arrayContaining(['usd', 'eur', 'gbp']));
    expect(republishPricesAfterMs).toBeLessThan(priceMaxAgeMs);
  });

  it('takes exchange rates, in which a dollar is always a dollar', () => {
    const { fiatRates } = parseCatalogueConfig({
      ...complete,
      FIAT_RATES: '{"EUR":"1.2","usd":"9"}',
    });
    const rates = [...fiatRates].map(([code, rate]) => [code, formatDecimal(rate)]);
    expect(rates).toEqual([
      ['eur', '1.2'],
      ['usd', '1'],
    ]);
  });

  it.each(['no JSON', '[]7', '{"eur":"-1"}', '{"eur":"0"}', '7'])(
    'refuses %s as exchange rates',
    (rates) => {
      const [problem] = problemsOf({ ...complete, FIAT_RATES: rates });
      expect(problem).toMatch(/^FIAT_RATES/);
    },
  );

  it('lists everything that is wrong, the chains’ part included', () => {
    const problems = problemsOf({ CHAINS: 'alphanet,nowhere' });
    expect(problems.join()).toMatch(
      /DATABASE_URL.*RPC_URLS_ALPHANET|RPC_URLS_ALPHANET.*DATABASE_URL/,
    );
  });
});

import { parseChainsConfig } from '@bascule/chain';
import { parseConfig } from '@bascule/process';
import { describe, expect, it } from '@jest/globals';
import { screeningConfig, screeningEnv } from './screening-config.js';

const ORACLE = '0x40C57923924B5c5c5455c48D93317139ADDaC8fb';
const parse = (env: Record<string, string>, chain = 'alphanet') =>
  screeningConfig(
    parseConfig(env, screeningEnv),
    parseChainsConfig({ CHAINS: chain, [`RPC_URLS_${chain.toUpperCase()}`]: 'http://127.0.0.1:9' }),
  );

describe('screeningConfig', () => {
  it('reads an oracle per chain', () => {
    const { oracles } = parse({ SCREENING_ORACLES: `alphanet=${ORACLE}` });
    expect(oracles).toEqual([{ chain: 'alphanet', address: ORACLE }]);
  });

  it.each([
    ['a chain that is not configured', `base=${ORACLE}`],
    ['no address', 'alphanet'],
    ['a short address', 'alphanet=0x12'],
  ])('refuses an oracle with %s', (_, oracles) => {
    expect(() => parse({ SCREENING_ORACLES: oracles })).toThrow('SCREENING_ORACLES');
  });

  it('requires a source where a chain is no test network, unless it is disabled', () => {
    expect(() => parse({}, 'base')).toThrow('SCREENING_DISABLED');
    expect(parse({ SCREENING_FILE: '/list.txt' }, 'base').file).toBe('/list.txt');
    expect(parse({ SCREENING_DISABLED: 'true' }, 'base').file).toBeUndefined();
    expect(parse({}).oracles).toEqual([]);
  });

  it('gives each of the two services half of the allowance', () => {
    expect(parse({ SCREENING_ALLOWANCE_USD: '25' }).allowanceUsd).toBe('12.5');
    expect(parse({}).allowanceUsd).toBe('0');
  });

  it('refuses an allowance that is no amount', () => {
    expect(() => parse({ SCREENING_ALLOWANCE_USD: 'some' })).toThrow('SCREENING_ALLOWANCE_USD');
    expect(() => parse({ SCREENING_ALLOWANCE_USD: '-1' })).toThrow('SCREENING_ALLOWANCE_USD');
  });
});

import { inspect } from 'node:util';
import { chainDefinitions } from '@bascule/chain';
import { describe, expect, it, jest } from '@jest/globals';
import { parseSolverConfig } from './solver.config.js';

const TOKEN = '0x00000000000000000000000000000000000000a1';
const environment = {
  PORT: '0',
  CHAINS: 'alphanet',
  RPC_URLS_ALPHANET: 'http://127.0.0.1:1',
  DATABASE_URL: 'postgres://solver:hidden@127.0.0.1/none',
  SOLVER_PRIVATE_KEY: `0x${'07'.repeat(32)}`,
  SOLVER_API_KEY: 'the key',
  SOLVER_ASSETS: JSON.stringify([
    { tokens: { alphanet: TOKEN, betanet: TOKEN }, flat_fee: '0', min_amount: '1' },
  ]),
  ATTESTER_URLS: 'http://127.0.0.1:2, http://127.0.0.1:3',
};

describe('the configuration of a solver', () => {
  it('has defaults for optional variables', () => {
    expect(parseSolverConfig(environment)).toMatchObject({
      feeBps: 5,
      fillMarginSeconds: 10,
      attesterUrls: ['http://127.0.0.1:2', 'http://127.0.0.1:3'],
      control: false,
      exits: false,
    });
  });

  it('bounds costs on every chain', () => {
    const usual = [['alphanet', 30_000_000_000_000_000n]];
    expect([...parseSolverConfig(environment).maxCosts]).toEqual(usual);
    const own = parseSolverConfig({ ...environment, SOLVER_MAX_COST_ALPHANET: '5' });
    expect([...own.maxCosts]).toEqual([['alphanet', 5n]]);
  });

  it('prints no secret', () => {
    const config = parseSolverConfig(environment);
    const printed = inspect(config) + JSON.stringify(config);
    for (const hidden of ['0707', 'the key', 'hidden']) expect(printed).not.toContain(hidden);
  });

  it.each([
    ['SOLVER_PRIVATE_KEY', '0x07'],
    ['SOLVER_API_KEY', ''],
    ['SOLVER_ASSETS', '[]'],
    ['SOLVER_FEE_BPS', '10000'],
    ['SOLVER_FILL_MARGIN_SECONDS', '0'],
    ['ATTESTER_URLS', 'attester'],
    ['SOLVER_MAX_COST_ALPHANET', '0'],
    ['SOLVER_MAX_COST_ALPHANET', '0.1'],
    ['RPC_URLS_ALPHANET', ''],
  ])('is refused with a wrong %s', (name, value) => {
    expect(() => parseSolverConfig({ ...environment, [name]: value })).toThrow(name);
  });

  it('enables test modes on test networks', () => {
    const config = parseSolverConfig({
      ...environment,
      SOLVER_CONTROL: 'true',
      SOLVER_EXIT: 'true',
    });
    expect(config).toMatchObject({ control: true, exits: true });
  });

  it.each(['SOLVER_CONTROL', 'SOLVER_EXIT'])(
    'is refused with %s on a network with real money',
    (name) => {
      const { alphanet } = chainDefinitions;
      if (!alphanet) throw new Error('alphanet is not defined');
      const replaced = jest.replaceProperty(alphanet, 'isTestnet', false);
      try {
        expect(() => parseSolverConfig({ ...environment, [name]: 'true' })).toThrow(name);
        expect(parseSolverConfig(environment)).toMatchObject({ control: false, exits: false });
      } finally {
        replaced.restore();
      }
    },
  );
});

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ADAPTERS, type ProviderAdapterName } from './adapters.js';
import { CONTRACT_SUITES, type ContractSuites } from './testing/contract-suites.fixture.js';

const root = join(import.meta.dirname, '../../..');
const runsContract = (adapter: string, file: string): boolean =>
  readFileSync(join(root, file), 'utf8').includes(`onrampProviderContract('${adapter}', `);

/** Places where parties are named: their adapters, their stand-ins, and the local stack that runs these. */
const OWN = /^libs\/(providers|providers-lab|composition)\//;

describe('the contract suite of onramp adapters', () => {
  it('runs against every adapter', () => {
    expect(Object.keys(CONTRACT_SUITES)).toEqual(Object.keys(ADAPTERS));
    for (const [adapter, file] of Object.entries(CONTRACT_SUITES)) {
      expect([adapter, runsContract(adapter, file)]).toEqual([adapter, true]);
    }
  });

  it('is all that names a party, beside its folder, its line and its stand-in', () => {
    const names = Object.keys(ADAPTERS).filter((name) => name !== 'sandbox');
    const quoted = new RegExp(`['"\`](${names.join('|')})['"\`]`);
    const sources = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root }).filter(
      (file) => !OWN.test(file) && !/\.(fixture|(int-|e2e-)?spec)\.ts$/.test(file),
    );
    expect(sources.length).toBeGreaterThan(500);
    const naming = sources.filter((file) => quoted.test(readFileSync(join(root, file), 'utf8')));
    expect(naming).toEqual([]);
  });

  it('is required for each adapter by the compiler and by this test', () => {
    // @ts-expect-error An adapter without a suite does not compile.
    const suites: ContractSuites<ProviderAdapterName | 'added'> = CONTRACT_SUITES;
    expect(suites).not.toHaveProperty('added');
    expect(runsContract('added', CONTRACT_SUITES.sandbox)).toBe(false);
  });
});

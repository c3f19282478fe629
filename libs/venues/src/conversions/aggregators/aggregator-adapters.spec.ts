import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { chainDefinitions } from '@bascule/chain';
import { describe, expect, it } from '@jest/globals';
import { createVenues } from '../create-venues.js';
import { AGGREGATOR_ADAPTERS } from './aggregator-adapters.js';
import type { AggregatorsConfig } from './aggregator-config.js';
import { AGGREGATOR_STAGES } from './testing/aggregator-stages.fixture.js';

const adapters = Object.entries(AGGREGATOR_ADAPTERS);

describe('the adapters of aggregators', () => {
  it.each(adapters)('have a stand-in for the suites, and a README for operators: %s', (name) => {
    expect(AGGREGATOR_STAGES).toHaveProperty(name);
    expect(existsSync(join(import.meta.dirname, name, 'README.md'))).toBe(true);
  });

  it.each(adapters)('have a name of their own for the allow list: %s', (name, adapter) => {
    const connection = { name: 'any', baseUrl: 'http://127.0.0.1:9', apiKey: 'key', timeoutMs: 1 };
    expect(adapter.create(connection).adapter).toBe(name);
  });

  it('are venues by the names that a deployment gives them, beside all others', () => {
    const names = (...aggregators: AggregatorsConfig) =>
      createVenues(aggregators).map(({ name }) => name);
    const lifi = {
      name: 'any',
      adapter: 'lifi',
      baseUrl: 'http://127.0.0.1:9',
      timeoutMs: 1,
    } as const;
    expect(names(lifi, { ...lifi, name: 'second' })).toEqual([...names(), 'any', 'second']);
  });

  it('are the only ones in the allow list of each chain, with all main networks in it', () => {
    for (const { contracts, isTestnet } of Object.values(chainDefinitions)) {
      const known = adapters.map(([name]) => name);
      const listed = Object.keys(contracts.aggregators ?? {});
      expect(listed.filter((name) => !Object.hasOwn(AGGREGATOR_ADAPTERS, name))).toEqual([]);
      expect(listed.length).toBe(isTestnet && listed.length === 0 ? 0 : known.length);
    }
  });
});

import { VENUE_NAMES } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { parseAggregators, tooSlowAggregators } from './aggregator-config.js';

const zeroX = { name: 'zero_x', adapter: 'zero-x', base_url: 'https://api.0x.org', api_key: 'key' };
const lifi = { name: 'lifi', adapter: 'lifi', base_url: 'https://li.quest/v1' };
const parse = (...items: object[]) => parseAggregators(JSON.stringify(items));

describe('parseAggregators', () => {
  it('reads each aggregator, with a time limit of 1.5 seconds by default', () => {
    expect(parse(zeroX, { ...lifi, timeout_ms: 900 })).toEqual([
      {
        name: 'zero_x',
        adapter: 'zero-x',
        baseUrl: 'https://api.0x.org',
        apiKey: 'key',
        timeoutMs: 1_500,
      },
      { name: 'lifi', adapter: 'lifi', baseUrl: 'https://li.quest/v1', timeoutMs: 900 },
    ]);
    expect(parse()).toEqual([]);
  });

  it.each<[string, object[], string]>([
    ['an unknown adapter', [{ ...zeroX, adapter: 'toString' }], 'zero-x, lifi'],
    ['a missing key where one is needed', [{ ...zeroX, api_key: undefined }], 'api_key'],
    ['an empty key', [{ ...lifi, api_key: '' }], 'api_key'],
    ['another protocol', [{ ...lifi, base_url: 'ftp://x' }], 'base_url'],
    ['a name with other characters', [{ ...lifi, name: 'LI.FI' }], 'name'],
    ['the same name twice', [zeroX, { ...lifi, name: 'zero_x' }], 'once'],
    ['no time', [{ ...lifi, timeout_ms: 0 }], 'timeout_ms'],
    ['too much time', [{ ...lifi, timeout_ms: 60_000 }], 'timeout_ms'],
    ['no object', [[]], 'adapter'],
  ])('refuses %s', (_, items, problem) => {
    expect(() => parse(...items)).toThrow(problem);
  });

  it('refuses the name of another venue', () => {
    for (const name of VENUE_NAMES) expect(() => parse({ ...lifi, name })).toThrow('name');
  });

  it('names no value in its messages', () => {
    const secret = { ...zeroX, base_url: 'not a URL', api_key: 'secret' };
    expect(() => parse(secret)).toThrow(/^(?!.*(secret|not a URL)).*$/);
  });

  it('has a time limit by default that fits three times into that of a chain', () => {
    const aggregators = parse(zeroX, { ...lifi, timeout_ms: 1_667 });
    expect(tooSlowAggregators(aggregators, 5_000)).toEqual(['lifi']);
    expect(tooSlowAggregators(aggregators, 5_001)).toEqual([]);
  });
});

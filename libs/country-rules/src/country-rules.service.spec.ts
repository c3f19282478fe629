import { DEFAULT_COUNTRY_RULES, type CountryRulesState } from '@bascule/contracts';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { CountryRulesService } from './country-rules.service.js';

const rulesOf = (stored: { current: CountryRulesState | Error | null }): CountryRulesService => {
  const findOneBy = () =>
    stored.current instanceof Error
      ? Promise.reject(stored.current)
      : Promise.resolve(stored.current);
  return new CountryRulesService({ manager: { findOneBy } } as unknown as DataSource);
};
const prohibiting = (...prohibited: string[]): CountryRulesState => ({
  ...DEFAULT_COUNTRY_RULES,
  prohibited,
});

describe('CountryRulesService.current', () => {
  /** The cache keeps the object `performance` of its start, which fake timers would replace. */
  const wait = async (ms: number) => {
    const later = performance.now() + ms;
    jest.spyOn(performance, 'now').mockReturnValue(later);
    await jest.advanceTimersByTimeAsync(ms);
  };
  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    await wait(0);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  it('returns changed rules a second after it has read them last', async () => {
    const stored: { current: CountryRulesState | null } = { current: null };
    const rules = rulesOf(stored);
    expect(await rules.current()).toEqual(DEFAULT_COUNTRY_RULES);
    stored.current = prohibiting('FRA');
    await wait(999);
    expect(await rules.current()).toEqual(DEFAULT_COUNTRY_RULES);
    await wait(2);
    expect(await rules.current()).toEqual(prohibiting('FRA'));
  });

  it('returns the last rules while the database does not answer', async () => {
    const stored: { current: CountryRulesState | Error } = { current: prohibiting('FRA') };
    const rules = rulesOf(stored);
    expect(await rules.current()).toEqual(prohibiting('FRA'));
    stored.current = new Error('connection refused');
    await wait(60_000);
    expect(await rules.current()).toEqual(prohibiting('FRA'));
  });
});

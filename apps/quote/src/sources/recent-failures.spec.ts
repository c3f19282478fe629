import { describe, expect, it } from '@jest/globals';
import { RouteFailure } from '../routes/route-failure.js';
import { RecentFailures } from './recent-failures.js';

const NOW = 1_700_000_000_000;
const failure = new RouteFailure(['mute'], [{ kind: 'provider', message: 'silent' }]);

describe('RecentFailures', () => {
  it.each([
    ['ten times as long as it took', 200, 2_000],
    ['at most five seconds', 3_000, 5_000],
  ])('remembers a failure for %s', (_, latencyMs, restMs) => {
    const failures = new RecentFailures();
    failures.remember('mute', { failure, latencyMs }, NOW);
    expect(failures.of('mute', NOW + restMs - 1)).toEqual({ failure, latencyMs });
    expect(failures.of('mute', NOW + restMs)).toBeUndefined();
  });

  it('knows nothing of other providers', () => {
    const failures = new RecentFailures();
    failures.remember('mute', { failure, latencyMs: 100 }, NOW);
    expect(failures.of('honest', NOW)).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { RecentSources } from './recent-sources.js';

describe('RecentSources', () => {
  it('counts each source once per asset until its window ends', () => {
    const sources = new RecentSources(1_000);
    sources.add({ asset: 'x', source: 'a' }, 0);
    sources.add({ asset: 'x', source: 'b' }, 500);
    sources.add({ asset: 'x', source: 'b' }, 600);
    sources.add({ asset: 'y', source: 'a' }, 600);
    expect([
      sources.count('x', 1_000),
      sources.count('y', 1_000),
      sources.count('z', 1_000),
    ]).toEqual([2, 1, 0]);
    expect(sources.count('x', 1_001)).toBe(1);
    expect(sources.count('x', 1_601)).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import { RecentVoters } from './recent-voters.js';

describe('RecentVoters', () => {
  it('counts each source once per asset until its window ends', () => {
    const voters = new RecentVoters(1_000);
    voters.add({ asset: 'x', source: 'a' }, 0);
    voters.add({ asset: 'x', source: 'b' }, 500);
    voters.add({ asset: 'x', source: 'b' }, 600);
    voters.add({ asset: 'y', source: 'a' }, 600);
    expect([voters.count('x', 1_000), voters.count('y', 1_000), voters.count('z', 1_000)]).toEqual([
      2, 1, 0,
    ]);
    expect(voters.count('x', 1_001)).toBe(1);
    expect(voters.count('x', 1_601)).toBe(0);
  });
});

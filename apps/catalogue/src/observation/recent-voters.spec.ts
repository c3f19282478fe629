import { describe, expect, it } from '@jest/globals';
import { RecentVoters } from './recent-voters.js';

describe('RecentVoters', () => {
  it('counts each source once for each asset, until it has been silent for too long', () => {
    const voters = new RecentVoters(1_000);
    voters.heard({ asset: 'x', source: 'a' }, 0);
    voters.heard({ asset: 'x', source: 'b' }, 500);
    voters.heard({ asset: 'x', source: 'b' }, 600);
    voters.heard({ asset: 'y', source: 'a' }, 600);
    expect([voters.of('x', 1_000), voters.of('y', 1_000), voters.of('z', 1_000)]).toEqual([
      2, 1, 0,
    ]);
    expect(voters.of('x', 1_001)).toBe(1);
    expect(voters.of('x', 1_601)).toBe(0);
  });
});

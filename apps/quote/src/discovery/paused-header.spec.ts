import type { Pause } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { pausedHeader } from './paused-header.js';

const pause = (kind: Pause['kind'], subject: string | null, reason = 'attack'): Pause => ({
  ...{ kind, subject, reason },
  since: '2026-01-01T00:00:00.000Z',
});

describe('pausedHeader', () => {
  it('lists what discovery leaves out, with the reasons', () => {
    const paused = [pause('chain', 'base'), pause('venue', 'uniswap_v3'), pause('execution', null)];
    expect(pausedHeader({ paused })).toBe(
      '"base";kind=chain;reason="attack", "uniswap_v3";kind=venue;reason="attack"',
    );
    expect(pausedHeader({ paused: [pause('organisation', 'x')] })).toBeUndefined();
  });

  it('escapes reasons, and bounds the list', () => {
    const reason = 'a "strange" \\ Überfall';
    expect(pausedHeader({ paused: [pause('chain', 'base', reason)] })).toBe(
      String.raw`"base";kind=chain;reason="a \"strange\" \\ ?berfall"`,
    );
    const many = Array.from({ length: 50 }, (_, index) => pause('bridge', `bridge${index}`));
    expect(pausedHeader({ paused: many })?.split(', ')).toHaveLength(16);
  });
});

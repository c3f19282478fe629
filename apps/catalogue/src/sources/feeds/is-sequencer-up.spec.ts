import { describe, expect, it } from '@jest/globals';
import { isSequencerUp } from './is-sequencer-up.js';

const now = new Date('2026-01-01T00:00:00Z');
const secondsAgo = (seconds: number): bigint => BigInt(now.getTime() / 1000 - seconds);

describe('isSequencerUp', () => {
  it.each([
    ['has been up for longer than an hour', 0n, secondsAgo(3_601), true],
    ['is back for less than an hour', 0n, secondsAgo(3_600), false],
    ['is down, for any duration', 1n, secondsAgo(10_000), false],
    ['has never reported', 0n, 0n, false],
  ])('judges a sequencer that %s', (_, answer, startedAt, up) => {
    expect(isSequencerUp({ answer, startedAt }, now)).toBe(up);
  });
});

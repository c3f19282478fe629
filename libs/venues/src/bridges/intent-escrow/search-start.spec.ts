import type { Order } from '@bascule/solidity';
import { describe, expect, it } from '@jest/globals';
import { earliestFill } from './search-start.js';

const FILL_DEADLINE = 1_900_000_000n;
const WEEK = 604_800n;
const HEAD = 400_000_000n;
const order = { fillDeadline: FILL_DEADLINE } as Order;

describe('the first block that is searched for a fill', () => {
  it('is a week before the deadline, by blocks twice as fast as usual', () => {
    const final = { number: HEAD, timestamp: FILL_DEADLINE };
    expect(earliestFill(250, final, order)).toBe(HEAD - WEEK * 8n);
    expect(earliestFill(12_000, final, order)).toBe(HEAD - WEEK / 6n);
  });

  it('stays there while the chain goes on', () => {
    const later = { number: HEAD + 8n * 3_600n, timestamp: FILL_DEADLINE + 3_600n };
    expect(earliestFill(250, later, order)).toBe(HEAD - WEEK * 8n);
  });

  it('is the first one of a short chain, or where the clock is far behind', () => {
    const short = { number: 500n, timestamp: FILL_DEADLINE };
    expect(earliestFill(250, short, order)).toBe(0n);
    const behind = { number: HEAD, timestamp: FILL_DEADLINE - WEEK };
    expect(earliestFill(250, behind, order)).toBe(0n);
  });
});

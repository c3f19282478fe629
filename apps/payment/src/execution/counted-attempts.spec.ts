import { describe, expect, it } from '@jest/globals';
import type { TransactionCost } from '@bascule/transactions';
import { countedAttempts } from './leg-schedule.js';

const MAX_COST = 1_000n;
const dropped = (gasCost: bigint): TransactionCost => ({ status: 'dropped', gasCost });
const reverted: TransactionCost = { status: 'reverted', gasCost: 900n };
const pending: TransactionCost = { status: 'pending', gasCost: 0n };

describe('the attempts of a leg', () => {
  it('count when they reverted, or can still be mined', () => {
    expect(countedAttempts([reverted, reverted, pending], MAX_COST)).toBe(3);
  });

  it('do not count where they were dropped for nothing', () => {
    expect(countedAttempts([dropped(0n), reverted, dropped(0n)], MAX_COST)).toBe(1);
  });

  it('count by the gas that their cancellations cost, rounded up', () => {
    const cancelled = (count: number) => Array.from({ length: count }, () => dropped(100n));
    expect(countedAttempts(cancelled(1), MAX_COST)).toBe(1);
    expect(countedAttempts([reverted, ...cancelled(10)], MAX_COST)).toBe(2);
    expect(countedAttempts([reverted, ...cancelled(11)], MAX_COST)).toBe(3);
  });

  it('all count where no cost bounds them', () => {
    expect(countedAttempts([reverted, dropped(0n)], undefined)).toBe(2);
    expect(countedAttempts([reverted, dropped(0n)], 0n)).toBe(2);
  });
});

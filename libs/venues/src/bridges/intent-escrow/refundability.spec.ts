import { describe, expect, it } from '@jest/globals';
import { FILL_OUTCOMES } from '@bascule/solidity';
import { isWithdrawable, refundability } from './refundability.js';
import type { OrderState } from './refundability.js';

const { unknown, filled, unfilled } = FILL_OUTCOMES;
const order = { fillDeadline: 100n, expires: 200n };
const standing = (now: bigint, outcome: number = unknown): OrderState => ({
  status: 'OPEN',
  outcome,
  now,
});

describe('an open order', () => {
  it.each([
    ['early', 0n, unknown],
    ['early', 100n, unknown],
    ['early', 100n, unfilled],
    ['unattested', 101n, unknown],
    ['refundable', 101n, unfilled],
    ['unattested', 199n, unknown],
    ['expired', 200n, unknown],
    ['refundable', 200n, unfilled],
    ['filled', 50n, filled],
    ['filled', 1_000n, filled],
  ])('is %s at %s when its oracle reports %s', (kind, now, outcome) => {
    expect(refundability(order, standing(now, outcome)).kind).toBe(kind);
  });

  it('has the earliest time of its refund', () => {
    expect(refundability(order, standing(7n))).toEqual({ kind: 'early', from: 101n });
  });
});

describe('an order that is not open', () => {
  it.each([
    ['unknown', 'UNKNOWN'],
    ['filled', 'RELEASED'],
    ['refunded', 'REFUNDED'],
  ] as const)('is %s when the escrow reports %s', (kind, status) => {
    expect(refundability(order, { ...standing(1_000n), status }).kind).toBe(kind);
  });
});

it('isWithdrawable is true until the money is earned or refunded', () => {
  const kinds = [
    ...[0n, 101n, 200n].map((now) => standing(now)),
    standing(101n, unfilled),
    standing(101n, filled),
    { ...standing(101n), status: 'REFUNDED' as const },
    { ...standing(101n), status: 'UNKNOWN' as const },
  ];
  expect(kinds.map((found) => isWithdrawable(refundability(order, found)))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});

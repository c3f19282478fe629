import { describe, expect, it } from '@jest/globals';
import { MAX_LISTED, pageOfWallets, walletsPerPage } from './page-of-wallets.js';
import type { ListedPayment } from './page-of-wallets.js';

const createdAt = '2026-11-24T12:00:00.000Z';
const listed = (...known: boolean[]): ListedPayment[] =>
  known.map((isKnownEmpty, index) => ({ paymentId: `p${index}`, createdAt, isKnownEmpty }));
const many = (isKnownEmpty: boolean): ListedPayment[] =>
  listed(...Array.from({ length: MAX_LISTED }, () => isKnownEmpty));

describe('pageOfWallets', () => {
  it('reads all wallets of a last page but the empty ones', () => {
    expect(pageOfWallets(listed(), 2)).toEqual({ read: [], next: null });
    expect(pageOfWallets(listed(false, true, false), 2)).toEqual({
      read: ['p0', 'p2'],
      next: null,
    });
  });

  it('continues after the last wallet that it reads', () => {
    const { read, next } = pageOfWallets(listed(true, false, true, false, false), 2);
    expect(read).toEqual(['p1', 'p3']);
    expect(next).toMatchObject({ paymentId: 'p3', createdAt });
  });

  it('continues after the last listed payment when there may be more', () => {
    expect(pageOfWallets(many(true), 2)).toMatchObject({
      read: [],
      next: { paymentId: `p${MAX_LISTED - 1}` },
    });
    expect(pageOfWallets(many(true).slice(1), 2).next).toBeNull();
  });
});

describe('walletsPerPage', () => {
  it.each([
    [[], 100],
    [[1, 50], 100],
    [[10, 200], 25],
    [[5_001], 1],
  ])('bounds the balances of one chain with %j tokens', (counts, wallets) => {
    expect(walletsPerPage(counts)).toBe(wallets);
  });
});

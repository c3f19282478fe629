import { describe, expect, it } from '@jest/globals';
import { MAX_LISTED, pageOfWallets, walletsPerPage } from './page-of-wallets.js';
import type { ListedPayment } from './page-of-wallets.js';

const createdAt = '2026-11-24T12:00:00.000Z';
const listed = (...known: boolean[]): ListedPayment[] =>
  known.map((isSkipped, index) => ({ paymentId: `p${index}`, createdAt, isSkipped }));
const page = (payments: ListedPayment[], size = 2) =>
  pageOfWallets(payments, { size, limit: MAX_LISTED });
const many = (isSkipped: boolean): ListedPayment[] =>
  listed(...Array.from({ length: MAX_LISTED }, () => isSkipped));

describe('pageOfWallets', () => {
  it('reads all wallets of a last page but those to skip', () => {
    expect(page(listed())).toEqual({ read: [], next: null });
    expect(page(listed(false, true, false))).toEqual({
      read: ['p0', 'p2'],
      next: null,
    });
  });

  it('continues after the last wallet that it reads', () => {
    const { read, next } = page(listed(true, false, true, false, false));
    expect(read).toEqual(['p1', 'p3']);
    expect(next).toMatchObject({ paymentId: 'p3', createdAt });
  });

  it('continues after the last listed payment when there may be more', () => {
    expect(page(many(true))).toMatchObject({
      read: [],
      next: { paymentId: `p${MAX_LISTED - 1}` },
    });
    expect(page(many(true).slice(1)).next).toBeNull();
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

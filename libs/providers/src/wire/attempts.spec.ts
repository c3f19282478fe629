import { describe, expect, it } from '@jest/globals';
import { orderOfAttempts, readAttempts, type Attempt } from './attempts.js';

const WALLET = `0x${'d1'.repeat(20)}`;
const HASH = `0x${'ab'.repeat(32)}` as const;
const terms = {
  depositAddress: WALLET,
  tokenDecimals: 6,
  locked: { code: 'usdc', network: 'base', amount: '100', token: 'base:0xc1' as const },
};
const at = (minute: number) => new Date(Date.UTC(2026, 10, 29, 12, minute));
const attempt = (change: Partial<Attempt> = {}): Attempt => ({
  status: 'AWAITING_PAYMENT',
  isNamedSo: true,
  address: WALLET,
  amount: '100',
  startedAt: at(0),
  ...change,
});
const stateOf = (...attempts: Attempt[]) => orderOfAttempts(attempts, terms);
const delivered = attempt({ status: 'DELIVERED', transactionHash: HASH });

describe('an order by its attempts', () => {
  it('is not begun without any', () => {
    expect(stateOf()).toEqual({ status: 'CREATED' });
  });

  it('has the state of the attempt that got furthest', () => {
    const pending = attempt({ status: 'PROCESSING', startedAt: at(1) });
    expect(stateOf(attempt(), pending, attempt({ startedAt: at(2) }))).toEqual({
      status: 'PROCESSING',
      paidAt: at(1),
    });
    expect(stateOf(pending, delivered)).toEqual({
      status: 'DELIVERED',
      paidAt: at(0),
      transactionHash: HASH,
      deliveredAmount: 100_000_000n,
    });
  });

  it('is refunded, unless the customer has begun again since', () => {
    const refunded = attempt({ status: 'REFUNDED', startedAt: at(1) });
    expect(stateOf(attempt(), refunded)).toEqual({ status: 'REFUNDED' });
    expect(stateOf(refunded, attempt({ startedAt: at(2) }))).toEqual({
      status: 'AWAITING_PAYMENT',
    });
    expect(stateOf(refunded, delivered).status).toBe('DELIVERED');
  });

  it('has the reason of the newest of equal attempts', () => {
    const [first, second] = [
      attempt({ reason: 'first' }),
      attempt({ reason: 'second', startedAt: at(1) }),
    ];
    expect(stateOf(first, second).reason).toBe('second');
    expect(stateOf(second, first).reason).toBe('second');
  });

  it.each([
    ['another address', { address: `0x${'aa'.repeat(20)}` }],
    ['much less', { amount: '89.99' }],
  ])('ignores a paid attempt for %s', (_what, change) => {
    expect(stateOf(attempt({ ...delivered, ...change }))).toEqual({ status: 'CREATED' });
  });

  it('takes an attempt for some less', () => {
    expect(stateOf(attempt({ ...delivered, amount: '90' })).deliveredAmount).toBe(90_000_000n);
  });

  it.each([
    ['no address', { address: undefined }],
    ['an address in other words', { address: `eip155:1:${WALLET}` }],
    ['other names', { isNamedSo: false }],
  ])('is unknown by a paid attempt with %s, and not changed by an unpaid one', (_what, change) => {
    for (const status of ['PROCESSING', 'DELIVERED', 'UNKNOWN'] as const) {
      expect(stateOf(attempt({ status, ...change }))).toEqual({ status: 'UNKNOWN' });
    }
    expect(stateOf(attempt(change), attempt())).toEqual({ status: 'AWAITING_PAYMENT' });
    expect(stateOf(attempt(change))).toEqual({ status: 'CREATED' });
  });

  it.each([undefined, '', 'soon'])('is pending while its transaction is %p', (transactionHash) => {
    expect(stateOf(attempt({ status: 'DELIVERED', transactionHash })).status).toBe('PROCESSING');
  });

  it('is delivered without an amount and a time', () => {
    const bare = attempt({ ...delivered, amount: undefined, startedAt: undefined });
    expect(stateOf(bare)).toEqual({ status: 'DELIVERED', transactionHash: HASH });
  });

  it('may be paid by an attempt that is unreadable', () => {
    const read = readAttempts([null, 'text', { status: 'x' }], (item) =>
      attempt({ status: 'PROCESSING', reason: item.string('reason') }),
    );
    expect(read.map(({ status }) => status)).toEqual(['UNKNOWN', 'UNKNOWN', 'UNKNOWN']);
    expect(stateOf(...read, attempt({ status: 'PROCESSING' })).status).toBe('PROCESSING');
  });
});

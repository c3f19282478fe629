import type { TokenIdentifier } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { aPayment } from '../testing/a-payment.fixture.js';
import { USDC, USDT } from '../testing/a-quote.fixture.js';
import { withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import type { PaymentRecord } from './payment-record.js';
import { currentHoldings, isEmptied } from './wallet-readings.js';
import type { WalletReading } from './wallet-readings.js';

const DEPOSIT_BLOCK = 11n;

function reading(
  balances: Record<TokenIdentifier, bigint>,
  overrides: Partial<WalletReading> = {},
): WalletReading {
  const tokens = Object.entries(balances) as [TokenIdentifier, bigint][];
  return {
    chain: 'alphanet',
    blockNumber: DEPOSIT_BLOCK,
    balances: new Map(
      tokens.map(([token, amount]) => [token, { token, amount, decimals: 6, usdPrice: '1' }]),
    ),
    isPartial: false,
    ...overrides,
  };
}

const amounts = (payment: PaymentRecord, ...readings: WalletReading[]) =>
  currentHoldings(payment, readings).map(({ token, amount }) => [token, amount]);

describe('currentHoldings', () => {
  const payment = aPayment().deposited({ amount: 60n }).build();

  it('are the recorded ones without a reading', () => {
    expect(amounts(payment)).toEqual([[USDC, 60n]]);
  });

  it('are those of the chain', () => {
    expect(amounts(payment, reading({ [USDC]: 0n, [USDT]: 7n }))).toEqual([[USDT, 7n]]);
  });

  it('are the recorded ones for a token that could not be read', () => {
    expect(amounts(payment, reading({ [USDT]: 7n }))).toEqual([
      [USDC, 60n],
      [USDT, 7n],
    ]);
  });

  it('are the recorded ones while the chain was read before them', () => {
    const early = reading({ [USDC]: 0n }, { blockNumber: DEPOSIT_BLOCK - 1n });
    expect(amounts(payment, early)).toEqual([[USDC, 60n]]);
    // The settlement of the leg is in block 1,000.
    const paidOut = aPayment().complete().build();
    expect(amounts(paidOut, reading({ [USDC]: 100_000_000n }))).toEqual([]);
  });
});

describe('isEmptied', () => {
  const none = reading({ [USDC]: 0n }, { blockNumber: 1_000n });
  const paidOut = aPayment().complete();

  it.each([
    ['an ended', paidOut.build()],
    ['an open', aPayment().build()],
    ['a withdrawing', paidOut.with(withdrawingFrom('EXPIRED')).build()],
  ])('holds for %s payment without money', (_, payment) => {
    expect(isEmptied(payment, [none])).toBe(true);
  });

  it.each([
    ['the wallet holds money', paidOut.build(), reading({ [USDT]: 1n }, { blockNumber: 1_000n })],
    ['a token could not be read', paidOut.build(), { ...none, isPartial: true }],
    ['the chain was read too early', paidOut.build(), { ...none, blockNumber: 999n }],
  ])('does not hold while %s', (_, payment, read) => {
    expect(isEmptied(payment, [read])).toBe(false);
  });
});

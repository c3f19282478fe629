import { describe, expect, it } from '@jest/globals';
import { aPayment, aSettlement } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { aMinedWithdrawal } from '../testing/a-withdrawal.fixture.js';
import { heldOf, holdings } from './wallet-ledger.js';

const left = (amount: bigint) => [{ token: USDC, amount, decimals: 6, usdPrice: '1' }];

describe('holdings', () => {
  it('contain deposits after the last withdrawal only', () => {
    const payment = aPayment()
      .deposited({ blockNumber: 20n })
      .deposited({ blockNumber: 21n, amount: 7n })
      .with({ withdrawals: [aMinedWithdrawal(20n, left(5n))] })
      .build();
    expect(heldOf(payment, USDC)).toBe(12n);
  });

  it('count a deposit in the block of the last withdrawal as read with that block', () => {
    const payment = aPayment()
      .deposited({ blockNumber: 20n })
      .with({ withdrawals: [aMinedWithdrawal(20n)] })
      .build();
    expect(holdings(payment)).toEqual([]);
  });

  it('count a leg in the block of the last withdrawal as read with that block', () => {
    const { legs, ...payment } = aPayment()
      .deposited({ blockNumber: 19n })
      .with({ withdrawals: [aMinedWithdrawal(20n, left(40_000_000n))] })
      .build();
    const settled = legs.map((leg) => ({ ...leg, settlement: aSettlement({ blockNumber: 20n }) }));
    expect(heldOf({ ...payment, legs: settled }, USDC)).toBe(40_000_000n);
  });

  it.each([[[20n, 30n]], [[30n, 20n]]])(
    'begin with the last of the withdrawals at %j',
    (blocks) => {
      const withdrawals = blocks.map((block) => aMinedWithdrawal(block, left(block)));
      const payment = aPayment().deposited({ blockNumber: 10n }).with({ withdrawals }).build();
      expect(heldOf(payment, USDC)).toBe(30n);
    },
  );

  it('ignore a withdrawal that is not mined', () => {
    const open = { ...aMinedWithdrawal(20n), nonce: 2n, status: 'PENDING', mined: null } as const;
    const payment = aPayment()
      .deposited({ blockNumber: 10n })
      .with({ withdrawals: [aMinedWithdrawal(20n, left(5n)), open] })
      .build();
    expect(heldOf(payment, USDC)).toBe(5n);
  });
});

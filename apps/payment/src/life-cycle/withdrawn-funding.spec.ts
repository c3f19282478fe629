import { describe, expect, it } from '@jest/globals';
import { aBridgedPayment, BETA_USDC } from '../testing/a-bridged-payment.fixture.js';
import { aPayment, aPolicy, minutesAfter } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { aMinedWithdrawal } from '../testing/a-withdrawal.fixture.js';
import { depositedInTime, refreshFunding } from './funding.js';
import type { Deposit, PaymentRecord } from './payment-record.js';
import { withdrawalMined } from './withdrawals.js';

const left = [{ token: USDC, amount: 40_000_000n, decimals: 6, usdPrice: '1' }];

describe('the funding of a payment with a withdrawal', () => {
  const payment = () =>
    aPayment()
      .deposited({ blockNumber: 20n })
      .with({ withdrawals: [aMinedWithdrawal(30n, left)] })
      .build();

  it('excludes the withdrawn amount', () => {
    expect(depositedInTime(payment())).toBe(40_000_000n);
  });

  it('is incomplete once less than the required amount is left', () => {
    expect(refreshFunding(payment(), minutesAfter(3)).fundedInFullAt).toBeNull();
  });
});

describe('a withdrawal that empties the wallet', () => {
  const withdrawn = (deposit: Partial<Deposit>): PaymentRecord =>
    withdrawalMined(
      aBridgedPayment()
        .deposited({ blockNumber: 20n })
        .deposited({ confirmed: false, ...deposit })
        .build(),
      {
        chain: 'alphanet',
        nonce: 1n,
        withdrawId: 'withdrawal-1',
        acceptBlame: false,
        mined: {
          transactionHash: '0x1',
          blockNumber: 30n,
          blockTimestamp: minutesAfter(2),
          remaining: [],
        },
      },
      () => aPolicy,
      minutesAfter(3),
    );

  it('leaves the payment pending while a deposit on another chain awaits confirmation', () => {
    const deposit = { chain: 'betanet', token: BETA_USDC, blockNumber: 5n };
    expect(withdrawn(deposit).status).toBe('PENDING');
  });

  it('leaves the payment pending while a later deposit on its chain awaits confirmation', () => {
    expect(withdrawn({ blockNumber: 31n }).status).toBe('PENDING');
  });

  it('ends the payment where the unconfirmed deposit is in an earlier block of its chain', () => {
    expect(withdrawn({ blockNumber: 29n }).status).toBe('WITHDRAWN');
  });
});

import type { ParkedFundIssue, WithdrawalStatus } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { requestCheckout } from '../testing/a-checkout.fixture.js';
import {
  anOnrampPayment,
  aPayment,
  aPolicy,
  DESTINATION,
  minutesAfter,
} from '../testing/a-payment.fixture.js';
import { USDC, USDT, WETH } from '../testing/a-quote.fixture.js';
import { aMinedWithdrawal, withdrawingFrom } from '../testing/a-withdrawal.fixture.js';
import { applyDeadlines } from './deadlines.js';
import { isStalled } from './issue-shares.js';
import { issuesOf } from './issues.js';
import { legAttemptFailed, legFailed } from './legs.js';
import type { CheckoutStatus, PaymentRecord } from './payment-record.js';

const seen = (payment: PaymentRecord, minute = 5) =>
  issuesOf(payment, () => aPolicy, minutesAfter(minute));
const parked = (payment: PaymentRecord, minute = 5) =>
  seen(payment, minute)
    .filter((issue): issue is ParkedFundIssue => issue.kind === 'parked_fund')
    .map(({ classification, balance, severity }) => [classification, balance['#'], severity]);
const expired = (payment: PaymentRecord) =>
  applyDeadlines(payment, minutesAfter(11), minutesAfter(11));

describe('issuesOf', () => {
  it('reports nothing about money in transit', () => {
    expect(seen(aPayment().build())).toEqual([]);
    expect(seen(aPayment().deposited().build())).toEqual([]);
    expect(seen(aPayment().complete().build())).toEqual([]);
  });

  it('reports who can withdraw which amount and its purpose', () => {
    const payment = aPayment().deposited({ amount: 60_000_000n }).build();
    expect(seen(payment)).toEqual([
      {
        kind: 'parked_fund',
        token: USDC,
        balance: { '#': '60000000' },
        classification: 'UNDERFUNDED',
        severity: 'HIGH',
        payment_gist: {
          op: 'buy',
          destination_address: DESTINATION,
          destination_token: WETH,
        },
        withdraw_from: {
          withdraw_type: 'PAYMENT',
          payment_id: payment.id,
          withdraw_account: 'SPW',
        },
      },
    ]);
  });

  it('reports what a submitted withdrawal takes as LOW and not for another one, until it fails', () => {
    const withdrawal = {
      ...aMinedWithdrawal(1n),
      tokenAmounts: [{ token: USDC, amount: '45' }],
      mined: null,
    };
    const issuesWhile = (status: WithdrawalStatus) => {
      const withdrawals = [{ ...withdrawal, status }];
      const payment = aPayment().deposited({ amount: 60_000_000n }).with({ withdrawals }).build();
      return seen(payment).map((issue) =>
        issue.kind === 'parked_fund'
          ? [issue.balance['#'], issue.severity, issue.withdraw_from !== null]
          : issue,
      );
    };
    for (const status of ['PENDING', 'SUCCESS'] as const) {
      expect(issuesWhile(status)).toEqual([
        ['45000000', 'LOW', false],
        ['15000000', 'HIGH', true],
      ]);
    }
    for (const status of ['FAILED', 'EXPIRED'] as const) {
      expect(issuesWhile(status)).toEqual([['60000000', 'HIGH', true]]);
    }
  });

  it('reports another token as missent, with its balance in smallest units', () => {
    const payment = aPayment().deposited({ token: USDT, amount: 2_500_000n }).build();
    expect(seen(payment)[0]).toEqual({
      kind: 'funding',
      token: USDT,
      balance: { '#': '2500000' },
    });
    expect(parked(payment)).toEqual([['MISSENT', '2500000', 'HIGH']]);
  });

  it('does not report a full deposit as too little after the payment ended', () => {
    const payment = aPayment()
      .deposited()
      .with({ status: 'EXPIRED', fundedInFullAt: null })
      .build();
    expect(parked(payment)).toEqual([['STUCK', '100000000', 'HIGH']]);
    expect(parked({ ...payment, status: 'WITHDRAWN' })).toEqual([['EXTRA', '100000000', 'HIGH']]);
  });

  it('reports by the status before a withdrawal that is pending', () => {
    const deposited = aPayment().deposited();
    expect(seen(deposited.with(withdrawingFrom('PENDING')).build())).toEqual([]);
    const again = { ...withdrawingFrom('WITHDRAWN'), fundedInFullAt: null };
    expect(parked(deposited.with(again).build())).toEqual([['EXTRA', '100000000', 'HIGH']]);
  });

  it('does not count a late deposit of another token as late money', () => {
    const payment = aPayment()
      .deposited({ amount: 60_000_000n })
      .deposited({ token: USDT, amount: 50_000_000n, blockTimestamp: minutesAfter(11) })
      .build();
    expect(parked(expired(payment))).toEqual([
      ['UNDERFUNDED', '60000000', 'HIGH'],
      ['MISSENT', '50000000', 'HIGH'],
    ]);
  });

  it('reports money of an attempt that slipped as stuck unless the payment failed', () => {
    const slipped = { reason: 'slippage', message: '' } as const;
    const funded = aPayment().deposited().build();
    const payment = legAttemptFailed(funded, 0, slipped, minutesAfter(4));
    expect(parked({ ...payment, status: 'EXPIRED' })).toEqual([['STUCK', '100000000', 'HIGH']]);
  });

  it('separates late deposits from insufficient ones', () => {
    const payment = aPayment()
      .deposited({ amount: 60_000_000n })
      .deposited({ amount: 50_000_000n, blockTimestamp: minutesAfter(11) })
      .build();
    expect(parked(expired(payment))).toEqual([
      ['UNDERFUNDED', '60000000', 'HIGH'],
      ['DELAYED', '50000000', 'HIGH'],
    ]);
  });

  it('reports an excess as extra, before and after completion', () => {
    const extra = aPayment().deposited().deposited({ amount: 5_000_000n });
    expect(parked(extra.build())).toEqual([['EXTRA', '5000000', 'HIGH']]);
    const second = aPayment()
      .complete()
      .deposited({ blockTimestamp: minutesAfter(20) })
      .build();
    expect(second.status).toBe('COMPLETE');
    expect(parked(second)).toEqual([['EXTRA', '100000000', 'HIGH']]);
    expect(parked({ ...second, fundedInFullAt: null })).toEqual(parked(second));
  });

  it.each([
    ['reverted', 'STUCK'],
    ['slippage', 'SLIPPED'],
  ] as const)('reports money left by a leg that failed with %s as %s', (reason, classification) => {
    const funded = aPayment().deposited().deposited({ amount: 1_000_000n }).build();
    const failed = legFailed(funded, 0, { reason, message: '' }, minutesAfter(3));
    expect(parked(failed)).toEqual([
      [classification, '100000000', 'HIGH'],
      ['EXTRA', '1000000', 'HIGH'],
    ]);
  });

  it('reports funded money that does not move as stalled, without an action', () => {
    const payment = aPayment().deposited().build();
    expect(parked(payment, 11)).toEqual([]);
    expect(parked(payment, 12)).toEqual([['STALLED', '100000000', 'LOW']]);
    expect(isStalled(aPayment().build(), aPolicy, minutesAfter(60))).toBe(false);
  });

  it('reports dust with low severity', () => {
    const payment = aPayment().complete().deposited({ amount: 49_999n }).build();
    expect(parked(payment)).toEqual([['EXTRA', '49999', 'LOW']]);
    const unpriced = aPayment().complete().deposited({ token: USDT, amount: 1n, usdPrice: null });
    expect(parked(unpriced.build())).toEqual([['MISSENT', '1', 'HIGH']]);
  });

  it.each<[string, Partial<PaymentRecord>]>([
    ['a tainted payment', { status: 'TAINTED' }],
    [
      'a tainted payment with a withdrawal from outside',
      { status: 'WITHDRAW_PENDING', statusBeforeWithdrawal: 'TAINTED' },
    ],
    ['a complete payment with tainted senders', { status: 'COMPLETE', senders: 'TAINTED' }],
    ['a frozen token', { frozenTokens: [USDC] }],
  ])('offers no withdrawal of %s', (_, change) => {
    const payment = aPayment().deposited({ amount: 1_000_000n }).with(change).build();
    expect(seen(payment)[0]).toMatchObject({ withdraw_from: null });
  });

  it('reports nothing about deposits that are not final', () => {
    expect(seen(aPayment().deposited({ amount: 1n, confirmed: false }).build())).toEqual([]);
  });
});

describe('the issues of an onramp', () => {
  const checkedOut = (status: CheckoutStatus, failure: string | null = null): PaymentRecord => {
    const payment = anOnrampPayment().build();
    const { checkout } = requestCheckout(payment);
    return { ...payment, checkout: checkout && { ...checkout, status, failure } };
  };

  it.each<[CheckoutStatus, string | null, string]>([
    ['FAILED', 'card declined', 'card declined'],
    ['FAILED', null, 'The order is failed.'],
    ['REFUNDED', null, 'The order is refunded.'],
  ])('say why its order is %s: %j', (status, failure, reason) => {
    const payment = checkedOut(status, failure);
    expect(seen(payment)).toEqual([
      { kind: 'provider', message: `${payment.checkout?.provider}: ${reason}` },
    ]);
  });

  it.each<CheckoutStatus>(['CREATED', 'AWAITING_PAYMENT', 'PROCESSING', 'DELIVERED', 'UNKNOWN'])(
    'do not mention an order that is %s',
    (status) => {
      expect(seen(checkedOut(status))).toEqual([]);
    },
  );
});

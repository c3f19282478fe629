import { describe, expect, it } from '@jest/globals';
import { applyDeadlines } from '../life-cycle/deadlines.js';
import { legAttemptFailed, legFailed } from '../life-cycle/legs.js';
import { withdrawalReported } from '../life-cycle/withdrawals.js';
import {
  aDelivery,
  aFill,
  BETA_USDC,
  bridging,
  delivered,
  FILL_HASH,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { aBoughtPayment, anOpenedPayment } from '../testing/a-checkout.fixture.js';
import { aPayment, aPolicy, HASH, minutesAfter } from '../testing/a-payment.fixture.js';
import type { PaymentBuilder } from '../testing/a-payment.fixture.js';
import { ORG_ID, USDC, WETH } from '../testing/a-quote.fixture.js';
import { fundsOf } from './funds.js';
import { waitsFor } from './waits-for.js';

const nonce = (BigInt(minutesAfter(30).getTime() / 1000) << 192n) + 7n;
const withdrawId = '0190b2c3-0000-7000-8000-00000000000a';
const withdrawing = (payment: PaymentBuilder): PaymentBuilder =>
  payment.changed(
    (record, now) =>
      withdrawalReported(
        record,
        {
          ...{ version: 2, withdraw_id: withdrawId, payment_id: '', org_id: ORG_ID },
          ...{ chain: 'alphanet', wallet_address: '', withdraw_account: 'SPW', transferId: null },
          ...{ token_amounts: [], recipient_address: '', accept_blame: true, submitted: true },
          ...{ nonce: nonce.toString(), status: 'PENDING', transaction_hash: null, failure: null },
          ...{ expires_at: '', updated_at: '' },
        },
        now,
      ),
    minutesAfter(3),
  );
const waits = (payment: PaymentBuilder, minute = 3) =>
  waitsFor(payment.build(), () => aPolicy, minutesAfter(minute));
const slipped = { reason: 'slippage', message: 'No route yields the minimum output.' } as const;
const until = minutesAfter(10).toISOString();

describe('a payment waits', () => {
  it('for its deposit, or what is missing of it, until the deadline', () => {
    const missing = { kind: 'DEPOSIT', chain: 'alphanet', token: USDC, until };
    expect(waits(aPayment())).toEqual({ ...missing, amount: '100' });
    expect(waits(aPayment().deposited({ amount: 40_000_000n }))).toEqual({
      ...missing,
      amount: '60',
    });
  });

  it('for confirmations of what was sent', () => {
    expect(waits(aPayment().deposited({ confirmed: false }))).toMatchObject({
      kind: 'CONFIRMATIONS',
      chain: 'alphanet',
      transaction_hash: expect.any(String),
    });
  });

  it('for the scan beyond its deadline', () => {
    expect(waits(aPayment(), 11)).toEqual({ kind: 'DEADLINE', chain: 'alphanet', until });
  });

  it('for the customer at the provider, then for the delivery', () => {
    expect(waits(anOpenedPayment())).toMatchObject({ kind: 'CHECKOUT', until });
    expect(waits(aBoughtPayment())).toMatchObject({
      kind: 'DELIVERY',
      until: aBoughtPayment().build().declarationExpiresAt.toISOString(),
    });
  });

  it('for its leg to start, with the reason of the last attempt', () => {
    expect(waits(aPayment().deposited())).toMatchObject({ kind: 'EXECUTION', leg: 0 });
    const postponed = aPayment()
      .deposited()
      .changed((payment, now) => legAttemptFailed(payment, 0, slipped, now), minutesAfter(2));
    expect(waits(postponed)).toMatchObject({ kind: 'EXECUTION', ...slipped });
  });

  it('for its transaction', () => {
    const expected = { kind: 'TRANSACTION', leg: 0, chain: 'alphanet' };
    expect(waits(aPayment().executing())).toEqual(expected);
    const sent = aPayment()
      .executing()
      .changed(
        (payment) => ({
          ...payment,
          legs: payment.legs.map((leg) => ({ ...leg, transactionHash: HASH })),
        }),
        minutesAfter(2),
      );
    expect(waits(sent)).toEqual({ ...expected, transaction_hash: HASH });
  });

  it('for the bridge, then for confirmations of its delivery', () => {
    expect(waits(bridging())).toEqual({
      kind: 'BRIDGE',
      leg: 0,
      chain: 'betanet',
      until: minutesAfter(4).toISOString(),
    });
    const filled = bridging().changed(seen(aFill()), minutesAfter(3));
    expect(waits(filled)).toEqual({
      kind: 'CONFIRMATIONS',
      leg: 0,
      chain: 'betanet',
      transaction_hash: FILL_HASH,
    });
    expect(waits(filled.deposited(aDelivery()))).toMatchObject({ kind: 'EXECUTION', leg: 1 });
  });

  it('for a submitted withdrawal until its nonce expires', () => {
    expect(waits(withdrawing(aPayment().deposited({ amount: 1_000_000n })))).toEqual({
      kind: 'WITHDRAWAL',
      chain: 'alphanet',
      withdraw_id: withdrawId,
      until: minutesAfter(30).toISOString(),
    });
  });

  it('for its owner where money is left, in the wallet or in the bridge', () => {
    const failed = aPayment()
      .deposited()
      .changed((payment, now) => legFailed(payment, 0, slipped, now), minutesAfter(2));
    expect(waits(failed)).toEqual({ kind: 'OWNER', chain: 'alphanet', token: USDC, amount: '100' });
    const unfilled = bridging().changed(seen({ kind: 'unfilled' }), minutesAfter(5));
    expect(waits(unfilled)).toMatchObject({ kind: 'OWNER', chain: 'alphanet', amount: '99' });
  });

  it('for the operator while it is frozen', () => {
    expect(waits(aPayment().with({ status: 'TAINTED' }))).toEqual({ kind: 'OPERATOR' });
    const frozen = aPayment().with({ status: 'TAINTED', taintedBy: 'sender' });
    expect(waits(frozen)).toEqual({ kind: 'OPERATOR', reason: 'sender' });
  });

  it('for nothing once it has ended without money left', () => {
    expect(waits(aPayment().complete())).toBeNull();
    const dust = aPayment().complete().deposited({ amount: 1_000n });
    expect(waits(dust)).toBeNull();
    const expired = aPayment().changed(
      (payment, now) => applyDeadlines(payment, minutesAfter(11), now),
      minutesAfter(11),
    );
    expect(waits(expired)).toBeNull();
  });
});

describe('the funds of a payment', () => {
  const funds = (payment: PaymentBuilder) =>
    fundsOf(payment.build()).map(({ place, token, amount }) => [place, token, amount]);

  it('are in its wallet, in the bridge, or paid out', () => {
    expect(funds(aPayment())).toEqual([]);
    expect(
      funds(aPayment().deposited({ amount: 1n, confirmed: false }).deposited({ amount: 2n })),
    ).toEqual([
      ['UNCONFIRMED', USDC, '0.000001'],
      ['WALLET', USDC, '0.000002'],
    ]);
    expect(funds(bridging())).toEqual([['BRIDGE', USDC, '99']]);
    expect(funds(delivered())).toEqual([['WALLET', BETA_USDC, '98.9']]);
    expect(funds(aPayment().complete())).toEqual([['DESTINATION', WETH, '0.0329']]);
  });
});

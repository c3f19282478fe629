import { describe, expect, it } from '@jest/globals';
import { aFill, bridging, ORDER_ID, seen } from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter, PaymentBuilder } from '../testing/a-payment.fixture.js';
import type { PaymentRecord, Withdrawal } from '../life-cycle/payment-record.js';
import { walletRefundSubmitted } from '../life-cycle/wallet-refunds.js';
import { nextTransferPoll } from './leg-schedule.js';

const at = minutesAfter(5);
const SCHEDULE = { pollMs: 2_000, maxRefunds: 3 };
const refund: Withdrawal = {
  withdrawId: '7',
  chain: 'alphanet',
  nonce: 7n,
  transferId: ORDER_ID,
  tokenAmounts: [],
  recipientAddress: null,
  acceptBlame: false,
  submitted: true,
  status: 'PENDING',
  transactionHash: null,
  failure: null,
  version: 1,
  mined: null,
};

/** An unfilled order that its owner signs for. */
function leftToOwner(): PaymentRecord {
  const payment = unfilledOrder().build();
  return { ...payment, quoteRequest: { ...payment.quoteRequest, use_intent_refund: true } };
}

const unfilledOrder = () => bridging().changed(seen({ kind: 'unfilled' }), at);

describe('the next poll of a transfer', () => {
  it('is soon while it is open and until the wallet has the delivery', () => {
    expect(nextTransferPoll(bridging().build(), 0, SCHEDULE, at)).toBe(2_000);
    const filled = bridging().changed(seen(aFill()), at).build();
    expect(nextTransferPoll(filled, 0, SCHEDULE, at)).toBe(2_000);
  });

  it('is within a minute while an unfilled order awaits its refund', () => {
    const unfilled = leftToOwner();
    const looks = [5, 12, 14, 100_000].map(
      (minute) => nextTransferPoll(unfilled, 0, SCHEDULE, minutesAfter(minute)) / 1_000,
    );
    expect(looks).toEqual([30, 48, 60, 60]);
  });

  it('is soon while its refund is in progress', () => {
    const unfilled = new PaymentBuilder(leftToOwner());
    const asked = unfilled.with({ withdrawals: [refund] }).build();
    expect(nextTransferPoll(asked, 0, SCHEDULE, at)).toBe(2_000);
    const failed = unfilled.with({ withdrawals: [{ ...refund, status: 'FAILED' }] }).build();
    expect(nextTransferPoll(failed, 0, SCHEDULE, at)).toBe(30_000);
  });

  it('is soon while the service refunds the order to the wallet, later while it cannot', () => {
    const unfilled = unfilledOrder();
    const looks = [4, 5, 14, 100_000].map(
      (minute) => nextTransferPoll(unfilled.build(), 0, SCHEDULE, minutesAfter(minute)) / 1_000,
    );
    expect(looks).toEqual([2, 6, 60, 60]);
    const wish = { transferId: ORDER_ID, attempt: 1 };
    const pending = unfilled.changed((payment) => walletRefundSubmitted(payment, 0, wish), at);
    expect(nextTransferPoll(pending.build(), 0, SCHEDULE, minutesAfter(14))).toBe(2_000);
  });
});

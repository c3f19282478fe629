import { describe, expect, it } from '@jest/globals';
import { aFill, bridging, ORDER_ID, seen } from '../testing/a-bridged-payment.fixture.js';
import { minutesAfter } from '../testing/a-payment.fixture.js';
import type { Withdrawal } from '../life-cycle/payment-record.js';
import { nextTransferPoll } from './leg-schedule.js';

const at = minutesAfter(5);
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

describe('the next poll of a transfer', () => {
  it('is soon while it is open and until the wallet has the delivery', () => {
    expect(nextTransferPoll(bridging().build(), 0, 2_000, at)).toBe(2_000);
    const filled = bridging().changed(seen(aFill()), at).build();
    expect(nextTransferPoll(filled, 0, 2_000, at)).toBe(2_000);
  });

  it('is within a minute while an unfilled order awaits its refund', () => {
    const unfilled = bridging()
      .changed(seen({ kind: 'unfilled' }), at)
      .build();
    const looks = [5, 12, 14, 100_000].map(
      (minute) => nextTransferPoll(unfilled, 0, 2_000, minutesAfter(minute)) / 1_000,
    );
    expect(looks).toEqual([30, 48, 60, 60]);
  });

  it('is soon while its refund is in progress', () => {
    const unfilled = bridging().changed(seen({ kind: 'unfilled' }), at);
    const asked = unfilled.with({ withdrawals: [refund] }).build();
    expect(nextTransferPoll(asked, 0, 2_000, at)).toBe(2_000);
    const failed = unfilled.with({ withdrawals: [{ ...refund, status: 'FAILED' }] }).build();
    expect(nextTransferPoll(failed, 0, 2_000, at)).toBe(30_000);
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  aPayment,
  aPolicy,
  aSettlement,
  HASH,
  minutesAfter,
} from '../testing/a-payment.fixture.js';
import { BETA_USDC } from '../testing/a-bridged-payment.fixture.js';
import { ORG_ID, USDC, USDT } from '../testing/a-quote.fixture.js';
import { applyDeadlines } from './deadlines.js';
import { derive } from './derive.js';
import { legFailed, legSettled, startableLeg } from './legs.js';
import type { PaymentRecord } from './payment-record.js';
import {
  endExpiredWithdrawals,
  forgetMinedWithdrawals,
  nextWithdrawalExpiry,
  withdrawalMined,
  withdrawalReported,
} from './withdrawals.js';
import type { ReportedWithdrawal } from './withdrawals.js';

/** Expires half an hour after the confirm, or at another minute. */
const nonce = (number: bigint, minute = 30): bigint =>
  (BigInt(minutesAfter(minute).getTime() / 1000) << 192n) + number;

const aState = (overrides: Partial<ReportedWithdrawal> = {}): ReportedWithdrawal => ({
  version: 2,
  withdraw_id: '0190b2c3-0000-7000-8000-00000000000a',
  payment_id: '',
  org_id: ORG_ID,
  chain: 'alphanet',
  wallet_address: '',
  withdraw_account: 'SPW',
  transferId: null,
  token_amounts: [{ token: USDC, amount: '40' }],
  recipient_address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  accept_blame: false,
  nonce: nonce(7n).toString(),
  submitted: true,
  status: 'PENDING',
  transaction_hash: null,
  failure: null,
  expires_at: minutesAfter(30).toISOString(),
  updated_at: minutesAfter(3).toISOString(),
  ...overrides,
});
const report = (payment: PaymentRecord, overrides: Partial<ReportedWithdrawal> = {}, minute = 3) =>
  derive(
    withdrawalReported(payment, aState(overrides), minutesAfter(minute)),
    minutesAfter(minute),
  );

const mine = (
  payment: PaymentRecord,
  {
    left = 0n,
    acceptBlame = false,
    nonce: used = nonce(7n),
    block = 500n,
    dustUsd = aPolicy.dustUsd,
  } = {},
): PaymentRecord => {
  const remaining = [{ token: USDC, amount: left, decimals: 6, usdPrice: '1' }];
  return derive(
    withdrawalMined(
      payment,
      {
        chain: 'alphanet',
        nonce: used,
        withdrawId: 'from-nonce',
        acceptBlame,
        mined: {
          transactionHash: HASH,
          blockNumber: block,
          blockTimestamp: minutesAfter(4),
          remaining,
        },
      },
      // Withdrawing from another chain costs next to nothing.
      (chain) => ({ ...aPolicy, dustUsd: chain === 'alphanet' ? dustUsd : '0.01' }),
      minutesAfter(4),
    ),
    minutesAfter(4),
  );
};
const underfunded = () => aPayment().deposited({ amount: 60_000_000n, blockNumber: 10n }).build();

describe('a withdrawal', () => {
  it('changes nothing before it is submitted', () => {
    const payment = report(underfunded(), { version: 1, submitted: false });
    expect(payment.status).toBe('PENDING');
    const expired = report(payment, { version: 2, submitted: false, status: 'EXPIRED' });
    expect(expired.status).toBe('PENDING');
  });

  it('stops further legs once it is submitted', () => {
    const funded = aPayment().deposited().build();
    const payment = report(funded);
    expect(payment).toMatchObject({
      status: 'WITHDRAW_PENDING',
      statusBeforeWithdrawal: 'PENDING',
      completedAt: null,
      dueAt: minutesAfter(30),
    });
    expect(startableLeg(payment)).toBeUndefined();
    expect(payment.legs[0]?.dueAt).toBeNull();
  });

  it('lets the payment continue after a failure', () => {
    const funded = aPayment().deposited().build();
    const payment = report(report(funded), { version: 3, status: 'FAILED', failure: 'no' });
    expect(payment).toMatchObject({ status: 'PENDING', statusBeforeWithdrawal: null });
    expect(startableLeg(payment)?.dueAt).toEqual(minutesAfter(3));
  });

  it('leaves the payment to its funding deadline when it fails before that', () => {
    const payment = report(report(underfunded()), { version: 3, status: 'FAILED' }, 5);
    expect(payment).toMatchObject({ status: 'PENDING', dueAt: minutesAfter(10) });
  });

  it('leaves an expired payment when it ends after the deadline', () => {
    const payment = report(report(underfunded()), { version: 3, status: 'EXPIRED' }, 40);
    expect(payment.dueAt).toEqual(minutesAfter(40));
    expect(applyDeadlines(payment, minutesAfter(40), minutesAfter(40)).status).toBe('EXPIRED');
  });

  it('counts as mined only when it is found on chain', () => {
    const payment = report(report(underfunded()), { version: 3, status: 'SUCCESS' });
    expect(payment.status).toBe('WITHDRAW_PENDING');
    expect(mine(payment).status).toBe('WITHDRAWN');
  });

  it('resumes the payment when funds are left', () => {
    expect(mine(report(underfunded()), { left: 20_000_000n })).toMatchObject({
      status: 'PENDING',
      fundedInFullAt: null,
    });
  });

  it('ends a pending payment when the owner accepts the blame and funds are left', () => {
    const payment = mine(report(underfunded()), { left: 20_000_000n, acceptBlame: true });
    expect(payment.status).toBe('EXPIRED');
  });

  it('counts as a full one when only dust is left', () => {
    expect(mine(report(underfunded()), { left: 49_999n }).status).toBe('WITHDRAWN');
    expect(mine(report(underfunded()), { left: 50_000n }).status).toBe('PENDING');
  });

  it('judges what is left by the costs of the chain that it is on', () => {
    const elsewhere = { chain: 'betanet', token: BETA_USDC, amount: 20_000n, blockNumber: 10n };
    const payment = aPayment()
      .deposited({ amount: 60_000_000n, blockNumber: 10n })
      .deposited({ ...elsewhere, transactionHash: '0x2' })
      .build();
    const after = (left: bigint) =>
      mine(report(payment), { left, dustUsd: '5', acceptBlame: true });
    // Two cents are worth a withdrawal there, though four dollars here are not.
    expect(after(4_000_000n).status).toBe('EXPIRED');
    expect(mine(report(underfunded()), { left: 4_000_000n, dustUsd: '5' }).status).toBe(
      'WITHDRAWN',
    );
  });

  it('counts when a third party submitted it', () => {
    const payment = mine(underfunded());
    expect(payment.status).toBe('WITHDRAWN');
    expect(payment.withdrawals).toEqual([
      expect.objectContaining({
        submitted: true,
        status: 'SUCCESS',
        withdrawId: 'from-nonce',
        tokenAmounts: [],
      }),
    ]);
  });

  it('stays mined and submitted, whatever its service reports late', () => {
    for (const change of [
      { submitted: false },
      { status: 'FAILED' },
      { status: 'EXPIRED' },
    ] as const) {
      const payment = report(mine(underfunded()), change);
      expect(payment.withdrawals).toMatchObject([
        { submitted: true, status: 'SUCCESS', transactionHash: HASH },
      ]);
      expect(payment.withdrawals[0]?.mined).not.toBeNull();
    }
  });

  it('keeps its transaction when a later report names none', () => {
    const sent = report(underfunded(), { transaction_hash: HASH });
    const later = report(sent, { version: 3, transaction_hash: null });
    expect(later.withdrawals[0]?.transactionHash).toBe(HASH);
  });

  it('is not that of another chain with the same nonce', () => {
    const payment = report(report(underfunded()), { chain: 'betanet' });
    expect(payment.withdrawals.map(({ chain }) => chain)).toEqual(['alphanet', 'betanet']);
  });

  it('has no second effect when it is reported late, and then has its amounts', () => {
    const payment = report(mine(underfunded()));
    expect(payment.status).toBe('WITHDRAWN');
    expect(payment.withdrawals).toEqual([
      expect.objectContaining({
        status: 'SUCCESS',
        tokenAmounts: [{ token: USDC, amount: '40' }],
        transactionHash: HASH,
      }),
    ]);
  });

  it('is recorded once', () => {
    const payment = mine(underfunded());
    const log = {
      chain: 'alphanet',
      nonce: nonce(7n),
      withdrawId: 'from-nonce',
      acceptBlame: false,
    };
    const mined = payment.withdrawals[0]?.mined;
    if (!mined) throw new Error('not mined');
    expect(withdrawalMined(payment, { ...log, mined }, () => aPolicy, minutesAfter(5))).toBe(
      payment,
    );
  });

  it('is ignored when it is the owner’s proof at confirm', () => {
    const payment = aPayment().build();
    const mined = {
      transactionHash: HASH,
      blockNumber: 500n,
      blockTimestamp: minutesAfter(4),
      remaining: [],
    };
    const proof = { chain: 'alphanet', nonce: nonce(7n), withdrawId: payment.id, mined };
    const record = (acceptBlame: boolean) =>
      withdrawalMined(payment, { ...proof, acceptBlame }, () => aPolicy, minutesAfter(5));
    expect(record(false)).toBe(payment);
    expect(record(true).withdrawals).toHaveLength(1);
  });

  it('ignores an older state', () => {
    const payment = report(underfunded(), { version: 5 });
    expect(withdrawalReported(payment, aState({ version: 5 }), minutesAfter(9))).toBe(payment);
    expect(withdrawalReported(payment, aState({ version: 4 }), minutesAfter(9))).toBe(payment);
  });

  it('keeps the payment waiting while another one is open', () => {
    const both = report(report(underfunded()), {
      nonce: nonce(8n).toString(),
      withdraw_id: 'other',
    });
    const first = report(both, { version: 3, status: 'FAILED' });
    expect(first.status).toBe('WITHDRAW_PENDING');
    const later = mine(first, { nonce: nonce(8n), left: 20_000_000n });
    expect(later.status).toBe('PENDING');
    const other = mine(both, { nonce: nonce(8n), left: 20_000_000n, acceptBlame: true });
    expect(other).toMatchObject({ status: 'WITHDRAW_PENDING', statusBeforeWithdrawal: 'EXPIRED' });
  });

  it('does not change COMPLETE when it takes extra funds', () => {
    const complete = aPayment().complete().build();
    expect(report(complete).status).toBe('COMPLETE');
    expect(mine(report(complete)).status).toBe('COMPLETE');
  });

  it('does not fail the leg whose money it takes', () => {
    const pending = report(aPayment().executing().build());
    const failure = { reason: 'reverted', message: 'no money' } as const;
    const failed = derive(legFailed(pending, 0, failure, minutesAfter(4)), minutesAfter(4));
    expect(failed.status).toBe('WITHDRAW_PENDING');
    expect(failed.legs[0]).toMatchObject({ status: 'ATTEMPT_FAILED', dueAt: null });
    expect(mine(failed).status).toBe('WITHDRAWN');
    const resumed = report(failed, { version: 3, status: 'FAILED' }, 5);
    expect(startableLeg(resumed)?.dueAt).toEqual(minutesAfter(5));
  });

  it('does not hide a payout in flight, in either order of discovery', () => {
    const settle = (payment: PaymentRecord) =>
      legSettled(payment, 0, aSettlement({ blockNumber: 499n }), HASH, minutesAfter(5));
    expect(settle(report(aPayment().executing().build())).status).toBe('COMPLETE');
    expect(settle(mine(aPayment().executing().build())).status).toBe('COMPLETE');
  });

  it('leaves a payment with an unconfirmed deposit pending when it takes missent funds', () => {
    const payment = aPayment()
      .deposited({ token: USDT, blockNumber: 10n })
      .deposited({ blockNumber: 501n, confirmed: false })
      .build();
    expect(mine(report(payment)).status).toBe('PENDING');
    expect(mine(report(payment), { acceptBlame: true }).status).toBe('WITHDRAWN');
    expect(mine(report(payment), { block: 501n }).status).toBe('WITHDRAWN');
  });

  it('is open again after a reorg', () => {
    const undone = forgetMinedWithdrawals(
      mine(report(underfunded())),
      'alphanet',
      500n,
      minutesAfter(6),
    );
    expect(undone).toMatchObject({ status: 'WITHDRAW_PENDING' });
    expect(undone.withdrawals[0]).toMatchObject({ status: 'PENDING', mined: null });
  });

  it('found only on chain is no longer submitted after a reorg', () => {
    const undone = forgetMinedWithdrawals(mine(underfunded()), 'alphanet', 500n, minutesAfter(6));
    expect(undone.status).not.toBe('WITHDRAW_PENDING');
    expect(undone.withdrawals[0]).toMatchObject({ submitted: false, mined: null });
  });

  it('is left alone by a reorg on another chain, and before it is mined', () => {
    const mined = mine(report(underfunded()));
    const forget = (payment: PaymentRecord, chain: string, fromBlock: bigint) =>
      forgetMinedWithdrawals(payment, chain, fromBlock, minutesAfter(6)).withdrawals;
    expect(forget(mined, 'betanet', 500n)).toEqual(mined.withdrawals);
    expect(forget(mined, 'alphanet', 501n)).toEqual(mined.withdrawals);
    const failed = report(underfunded(), { status: 'FAILED' });
    expect(forget(failed, 'alphanet', 0n)).toEqual(failed.withdrawals);
  });

  it('decides the next check when it expires first', () => {
    const later = nonce(8n, 45);
    const both = report(report(underfunded()), { nonce: later.toString(), withdraw_id: 'later' });
    expect(nextWithdrawalExpiry(both)).toEqual(minutesAfter(30));
    expect(nextWithdrawalExpiry(underfunded())).toBeNull();
  });

  it('has no check when it expires after the last time of a date', () => {
    const last = 8_640_000_000_000n;
    const expiring = (second: bigint) =>
      nextWithdrawalExpiry(report(underfunded(), { nonce: (second << 192n).toString() }));
    expect(expiring(last)).toEqual(new Date(8.64e15));
    expect(expiring(last + 1n)).toBeNull();
  });

  describe('with an expired authorization', () => {
    const confirmed = (minute: number, chain = 'alphanet') =>
      new Map([[chain, minutesAfter(minute)]]);
    const settled = () => report(report(underfunded()), { version: 3, status: 'SUCCESS' });
    const ended = (upTo: Map<string, Date>) =>
      derive(endExpiredWithdrawals(settled(), upTo, minutesAfter(40)), minutesAfter(40));

    it('expires with the first final block after its nonce expired, even when reported as settled', () => {
      expect(ended(confirmed(30)).status).toBe('WITHDRAW_PENDING');
      const payment = ended(confirmed(31));
      expect(payment).toMatchObject({ status: 'PENDING', dueAt: minutesAfter(40) });
      expect(payment.withdrawals[0]?.status).toBe('EXPIRED');
    });

    it('expires without the others, and changes nothing before', () => {
      const later = nonce(8n, 45);
      const both = report(settled(), { nonce: later.toString(), withdraw_id: 'later' });
      expect(endExpiredWithdrawals(both, confirmed(30), minutesAfter(40))).toBe(both);
      const { status, withdrawals } = endExpiredWithdrawals(both, confirmed(31), minutesAfter(40));
      expect(status).toBe('WITHDRAW_PENDING');
      expect(withdrawals.map((each) => each.status)).toEqual(['EXPIRED', 'PENDING']);
    });

    it('expires by the blocks of its own chain only', () => {
      expect(ended(confirmed(31, 'betanet')).status).toBe('WITHDRAW_PENDING');
    });
  });
});

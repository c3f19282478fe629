import { describe, expect, it } from '@jest/globals';
import { getAddress, zeroAddress } from 'viem';
import {
  aRefund,
  BETA_USDC,
  bridging,
  ESCROW,
  ORDER_ID,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { aDeposit, aPolicy, HASH, minutesAfter, OWNER } from '../testing/a-payment.fixture.js';
import type { PaymentBuilder } from '../testing/a-payment.fixture.js';
import { USDC } from '../testing/a-quote.fixture.js';
import { isSameAddress } from './addresses.js';
import { derive } from './derive.js';
import { forgetDeposits, recordDeposit } from './funding.js';
import { fulfilledRoute } from './fulfilled.js';
import { issuesOf } from './issues.js';
import { LifeCycleError } from './legs.js';
import { isAcross } from './open-transfers.js';
import type { PaymentRecord, WalletHolding, Withdrawal } from './payment-record.js';
import { forgetRefunds } from './refunds.js';
import { heldOf } from './wallet-ledger.js';
import {
  isWalletRefundDue,
  walletRefundFailed,
  walletRefundSubmitted,
  walletRefundWeighed,
} from './wallet-refunds.js';
import { forgetMinedWithdrawals, withdrawalMined, withdrawalReported } from './withdrawals.js';

const at = minutesAfter(6);
const MAX = 3;
const AMOUNT = 99_000_000n;

const signed: Withdrawal = {
  withdrawId: '0190b2c3-0000-7000-8000-00000000000a',
  chain: 'alphanet',
  nonce: (BigInt(minutesAfter(40).getTime() / 1000) << 192n) + 7n,
  transferId: ORDER_ID,
  tokenAmounts: [],
  recipientAddress: OWNER,
  acceptBlame: false,
  submitted: true,
  status: 'PENDING',
  transactionHash: null,
  failure: null,
  version: 2,
  mined: null,
};

const toWallet = (payment: PaymentRecord) =>
  aRefund({
    recipient: getAddress(payment.walletAddress),
    amount: AMOUNT,
    feeReceiver: zeroAddress,
    fee: 0n,
  });
const refunded = (payment: PaymentRecord, now: Date) => seen(toWallet(payment))(payment, now);
const arrived = (payment: PaymentRecord) =>
  recordDeposit(
    payment,
    aDeposit({
      amount: AMOUNT,
      sender: ESCROW,
      transactionHash: toWallet(payment).transactionHash,
      blockNumber: 1_500n,
      blockTimestamp: at,
    }),
  );
const unfilled = () => bridging().changed(seen({ kind: 'unfilled' }), minutesAfter(5));
const submitted =
  (attempt: number) =>
  (payment: PaymentRecord): PaymentRecord =>
    walletRefundSubmitted(payment, 0, { transferId: ORDER_ID, attempt });

const isDue = (builder: PaymentBuilder): boolean => {
  const payment = builder.build();
  const [leg] = payment.legs;
  if (leg === undefined) throw new Error('no leg');
  return isWalletRefundDue(payment, leg, MAX);
};
const withIntentRefund = (use_intent_refund: boolean) => {
  const payment = unfilled().build();
  return unfilled().with({ quoteRequest: { ...payment.quoteRequest, use_intent_refund } });
};

describe('a refund to the wallet', () => {
  it('is due once the order is unfilled, unless the owner signs for it', () => {
    expect(isDue(bridging())).toBe(false);
    expect(isDue(unfilled())).toBe(true);
    expect(isDue(withIntentRefund(false))).toBe(true);
    expect(isDue(withIntentRefund(true))).toBe(false);
  });

  it('is not due while a transaction is awaited, and only for some attempts', () => {
    const first = unfilled().changed(submitted(1), at);
    expect(isDue(first)).toBe(false);
    let builder = unfilled();
    for (const attempt of [1, 2, 3]) {
      expect(isDue(builder)).toBe(true);
      builder = builder
        .changed(submitted(attempt), at)
        .changed((payment, now) => walletRefundFailed(payment, 0, attempt, now), at);
    }
    expect(isDue(builder)).toBe(false);
  });

  it('waits for the outcome of a submitted withdrawal of the order', () => {
    const rivals: [Partial<Withdrawal>, boolean][] = [
      [{}, false],
      [{ submitted: false }, true],
      [{ status: 'FAILED' }, true],
      [{ status: 'EXPIRED' }, true],
      [{ status: 'SUCCESS' }, false],
      [{ transferId: null }, true],
    ];
    for (const [change, due] of rivals) {
      expect(isDue(unfilled().with({ withdrawals: [{ ...signed, ...change }] }))).toBe(due);
    }
  });

  it('is never due for a tainted payment', () => {
    expect(isDue(unfilled().with({ status: 'TAINTED' }))).toBe(false);
    const withdrawing = { status: 'WITHDRAW_PENDING', statusBeforeWithdrawal: 'TAINTED' } as const;
    expect(isDue(unfilled().with(withdrawing))).toBe(false);
  });

  it('is not submitted twice, for another transfer, or once it is settled', () => {
    const once = unfilled().changed(submitted(1), at).build();
    for (const attempt of [1, 2]) expect(() => submitted(attempt)(once)).toThrow(LifeCycleError);
    const again = { transferId: `0x${'9'.repeat(64)}`, attempt: 1 };
    expect(() => walletRefundSubmitted(unfilled().build(), 0, again)).toThrow(LifeCycleError);
    expect(() => submitted(1)(unfilled().changed(refunded, at).build())).toThrow(LifeCycleError);
  });

  it('makes its leg due after a failed attempt; an outcome of another attempt changes nothing', () => {
    const pending = unfilled().changed(submitted(1), at).build();
    const later = minutesAfter(9);
    const failed = walletRefundFailed(pending, 0, 1, later);
    expect(failed.legs[0]).toMatchObject({
      dueAt: later,
      transfer: { walletRefund: { attempts: 1, isPending: false } },
    });
    expect(walletRefundFailed(pending, 0, 2, later)).toBe(pending);
    expect(walletRefundFailed(failed, 0, 1, later)).toBe(failed);
    const settled = bridging().build();
    expect(walletRefundFailed(settled, 1, 1, later)).toBe(settled);
  });

  it('keeps its attempts when the bridge answers again', () => {
    const pending = unfilled().changed(submitted(1), at).changed(refunded, at).build();
    expect(pending.legs[0]?.transfer).toMatchObject({
      status: 'REFUNDED',
      walletRefund: { attempts: 1, isPending: true },
    });
  });
});

describe('a payment whose order was refunded to its wallet', () => {
  it('has failed, without a withdrawal', () => {
    for (const before of [bridging(), unfilled()]) {
      const payment = before.changed(refunded, at).build();
      expect(payment).toMatchObject({
        status: 'FAILED',
        withdrawals: [],
        legs: [{ status: 'FAILED', dueAt: null, transfer: { status: 'REFUNDED' } }, {}],
      });
    }
  });

  it('has its money at every moment exactly once', () => {
    const issues = (payment: PaymentRecord) => issuesOf(payment, () => aPolicy, at);
    const stuck = (account: string) => ({
      kind: 'parked_fund',
      classification: 'STUCK',
      token: USDC,
      balance: { '#': AMOUNT.toString() },
      severity: 'HIGH',
      withdraw_from: { withdraw_account: account },
    });
    const before = unfilled();
    const back = before.changed(refunded, at);
    const landed = back.changed(arrived, at);
    expect(issues(before.build())).toMatchObject([stuck('INTENT')]);
    expect(issues(back.build())).toMatchObject([stuck('SPW')]);
    expect(issues(landed.build())).toMatchObject([stuck('SPW')]);
    expect(heldOf(landed.build(), USDC)).toBe(AMOUNT);
    const [leg] = back.build().legs;
    if (leg === undefined) throw new Error('no leg');
    expect(isAcross(back.build(), leg)).toBe(true);
    expect(isAcross(landed.build(), leg)).toBe(false);
  });

  it('counts the refund neither as funding nor as missent', () => {
    const payment = unfilled().changed(refunded, at).changed(arrived, at).build();
    const [funding, crossing] = fulfilledRoute(payment);
    expect(funding?.net_effect.produce.map(({ amount }) => amount)).toEqual(['100']);
    const { transactionHash } = toWallet(payment);
    const side = (account: string) => ({ account, amount: '99', tx_id: transactionHash });
    expect(crossing).toMatchObject({ status: 'FAILED' });
    expect(crossing?.net_effect.consume.at(-1)).toMatchObject(side('BRIDGE'));
    expect(crossing?.net_effect.produce.at(-1)).toMatchObject(side('SPW'));
    // Converted before the bridge: the token is no leg's input on that chain.
    const plan = { ...payment.plan, deposit: { ...payment.plan.deposit, token: BETA_USDC } };
    expect(issuesOf({ ...payment, plan }, () => aPolicy, at)).toMatchObject([
      { classification: 'STUCK', token: USDC, withdraw_from: { withdraw_account: 'SPW' } },
    ]);
  });

  const withdrawn =
    (blockNumber: bigint, remaining: WalletHolding[] = []) =>
    (payment: PaymentRecord, now: Date): PaymentRecord =>
      withdrawalMined(
        payment,
        {
          chain: 'alphanet',
          nonce: 9n,
          withdrawId: 'from-nonce',
          acceptBlame: true,
          mined: { transactionHash: HASH, blockNumber, blockTimestamp: now, remaining },
        },
        () => aPolicy,
        now,
      );

  it('is withdrawn by a withdrawal from the wallet that leaves nothing, not before', () => {
    const back = unfilled().changed(refunded, at);
    expect(back.changed(withdrawn(1_499n), at).build().status).toBe('FAILED');
    const landed = back.changed(arrived, at).changed(withdrawn(1_501n), at).build();
    expect(landed.status).toBe('WITHDRAWN');
    expect(issuesOf(landed, () => aPolicy, at)).toEqual([]);
  });

  it.each([
    ['the bridge reports the refund last', [arrived, withdrawn(1_501n), refunded]],
    ['all is in one block', [arrived, withdrawn(1_500n), refunded]],
    ['the refund is final last', [refunded, withdrawn(1_501n), arrived]],
    ['the withdrawal is recorded first', [withdrawn(1_501n), refunded, arrived]],
    [
      'the bridge has not even reported it as unfilled',
      [arrived, withdrawn(1_501n), refunded],
      bridging,
    ],
  ])('is withdrawn where %s', (_, facts, before = unfilled) => {
    const ended = facts.reduce((builder, fact) => builder.changed(fact, at), before()).build();
    expect(ended.status).toBe('WITHDRAWN');
    expect(issuesOf(ended, () => aPolicy, at)).toEqual([]);
  });

  it('stays failed where a withdrawal left some, or came before the refund', () => {
    const left = { token: USDC, amount: 50_000_000n, decimals: 6, usdPrice: '1' };
    for (const withdrawal of [withdrawn(1_501n, [left]), withdrawn(1_499n)]) {
      const payment = unfilled().changed(arrived, at).changed(withdrawal, at);
      expect(payment.changed(refunded, at).build().status).toBe('FAILED');
    }
  });

  it('takes its money back to the escrow after a reorg, to be refunded again', () => {
    const landed = unfilled().changed(submitted(1), at).changed(refunded, at).changed(arrived, at);
    const undone = derive(
      forgetMinedWithdrawals(
        forgetRefunds(forgetDeposits(landed.build(), 'alphanet', 1_500n), 'alphanet', 1_500n),
        'alphanet',
        1_500n,
        at,
      ),
      at,
    );
    expect(undone.legs[0]).toMatchObject({ transfer: { status: 'UNFILLED' }, dueAt: at });
    expect(heldOf(undone, USDC)).toBe(0n);
    const dropped = walletRefundFailed(undone, 0, 1, at);
    expect(submitted(2)(dropped).legs[0]?.transfer?.walletRefund.attempts).toBe(2);
  });
});

describe('a signed withdrawal that a refund to the wallet overtakes', () => {
  const report = (status: 'PENDING' | 'FAILED', version: number) => (payment: PaymentRecord) =>
    withdrawalReported(
      payment,
      {
        version,
        withdraw_id: signed.withdrawId,
        payment_id: payment.id,
        org_id: payment.orgId,
        chain: 'alphanet',
        wallet_address: payment.walletAddress,
        withdraw_account: 'INTENT',
        transferId: ORDER_ID,
        token_amounts: [],
        recipient_address: OWNER,
        accept_blame: false,
        nonce: signed.nonce.toString(),
        submitted: true,
        status,
        transaction_hash: null,
        failure: status === 'FAILED' ? 'the order was refunded by another instruction.' : null,
        expires_at: minutesAfter(40).toISOString(),
        updated_at: at.toISOString(),
      },
      at,
    );

  it('lets the payment end, and fails once its service reports so', () => {
    const pending = unfilled().changed(report('PENDING', 2), at);
    expect(pending.build().status).toBe('WITHDRAW_PENDING');
    const overtaken = pending.changed(refunded, at);
    expect(overtaken.build()).toMatchObject({
      status: 'FAILED',
      withdrawals: [{ status: 'PENDING', mined: null }],
    });
    const ended = overtaken.changed(report('FAILED', 3), at).changed(arrived, at).build();
    expect(ended).toMatchObject({
      status: 'FAILED',
      withdrawals: [{ withdrawId: signed.withdrawId, status: 'FAILED', mined: null }],
    });
  });

  it('loses the refund that it had before a reorg', () => {
    const mined = unfilled().changed(report('PENDING', 2), at).changed(seen(aRefund()), at);
    expect(mined.build().withdrawals).toMatchObject([{ status: 'SUCCESS' }]);
    const other = { transactionHash: `0x${'5'.repeat(64)}` } as const;
    const replaced = mined.changed(
      (payment, now) => seen({ ...toWallet(payment), ...other })(payment, now),
      at,
    );
    expect(replaced.build().withdrawals).toMatchObject([{ status: 'PENDING', mined: null }]);
    const fromChain = unfilled().changed(seen(aRefund()), at);
    expect(fromChain.build().withdrawals).toMatchObject([{ version: 0 }]);
    const gone = fromChain.changed(
      (payment, now) => seen({ ...toWallet(payment), ...other })(payment, now),
      at,
    );
    expect(gone.build().withdrawals).toEqual([]);
  });
});

describe('an order that is worth less than the gas of its refund', () => {
  it('is a low issue as long as it is', () => {
    const weigh = (isUneconomic: boolean) => (payment: PaymentRecord) =>
      walletRefundWeighed(payment, 0, { transferId: ORDER_ID, isUneconomic });
    const severity = (builder: PaymentBuilder) =>
      issuesOf(builder.build(), () => aPolicy, at).map((issue) =>
        issue.kind === 'parked_fund' ? [issue.severity, issue.withdraw_from] : issue,
      );
    const intent = expect.objectContaining({ withdraw_account: 'INTENT' });
    const small = unfilled().changed(weigh(true), at);
    expect(severity(small)).toEqual([['LOW', intent]]);
    expect(weigh(true)(small.build())).toBe(small.build());
    expect(severity(small.changed(weigh(false), at))).toEqual([['HIGH', intent]]);
    const other = { transferId: `0x${'9'.repeat(64)}`, isUneconomic: true };
    const payment = unfilled().build();
    expect(walletRefundWeighed(payment, 0, other)).toBe(payment);
  });
});

describe('addresses', () => {
  it('are the same in any letter case; no address equals none', () => {
    expect(isSameAddress(OWNER.toLowerCase(), OWNER)).toBe(true);
    expect(isSameAddress(null, OWNER)).toBe(false);
  });
});

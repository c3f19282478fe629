import { describe, expect, it } from '@jest/globals';
import type { TimelineEntryType } from '@bascule/contracts';
import { getAddress, zeroAddress } from 'viem';
import { applyDeadlines } from '../life-cycle/deadlines.js';
import { confirmDeposits, forgetDeposits, recordDeposit } from '../life-cycle/funding.js';
import { legAttemptFailed, legFailed, legSettled, legSubmitted } from '../life-cycle/legs.js';
import { legUndone } from '../life-cycle/legs.js';
import type { LegFailure, PaymentRecord } from '../life-cycle/payment-record.js';
import { forgetRefunds } from '../life-cycle/refunds.js';
import { legBridged } from '../life-cycle/transfers.js';
import { walletRefundFailed, walletRefundSubmitted } from '../life-cycle/wallet-refunds.js';
import {
  endExpiredWithdrawals,
  forgetMinedWithdrawals,
  withdrawalMined,
  withdrawalReported,
} from '../life-cycle/withdrawals.js';
import type { ReportedWithdrawal } from '../life-cycle/withdrawals.js';
import {
  aBridgedPayment,
  aBridgedSettlement,
  aDelivery,
  aFill,
  aRefund,
  aTransfer,
  bridging,
  ORDER_ID,
  seen,
} from '../testing/a-bridged-payment.fixture.js';
import { openCheckout, reportOrder, requestCheckout } from '../testing/a-checkout.fixture.js';
import {
  aDeposit,
  anOnrampPayment,
  aPayment,
  aPolicy,
  aSettlement,
  HASH,
  minutesAfter,
  OWNER,
} from '../testing/a-payment.fixture.js';
import type { PaymentBuilder } from '../testing/a-payment.fixture.js';
import { ORG_ID, USDC } from '../testing/a-quote.fixture.js';
import type { NewEntry } from './entry.js';
import { changeEntries, confirmationEntries } from './payment-entries.js';

type Change = (payment: PaymentRecord, now: Date) => PaymentRecord;

const at = minutesAfter(3);

/** Entries of each of the changes, made one after the other. */
function entriesOf(start: PaymentBuilder, ...changes: Change[]): NewEntry[][] {
  let current = start;
  return changes.map((change) => {
    const next = current.changed(change, at);
    const entries = changeEntries(current.build(), next.build(), aPolicy);
    current = next;
    return entries;
  });
}

const typesOf = (start: PaymentBuilder, ...changes: Change[]): TimelineEntryType[][] =>
  entriesOf(start, ...changes).map((entries) => entries.map(({ type }) => type));

const arriving = aDeposit({ confirmed: false, transactionHash: `0x${'d'.repeat(64)}` });
const arrives: Change = (payment) => recordDeposit(payment, arriving);
const confirms: Change = (payment) => confirmDeposits(payment, 'alphanet', 11n);
const reorgs: Change = (payment) => forgetDeposits(payment, 'alphanet', 11n);
const submits: Change = (payment) => legSubmitted(payment, 0, { attempt: 1, nextLookAt: null });
const settles: Change = (payment, now) => legSettled(payment, 0, aSettlement(), HASH, now);
const isSame: Change = (payment) => ({ ...payment });

describe('entries of a payment', () => {
  it('follow a swap from its deposit to its payout', () => {
    expect(typesOf(aPayment(), arrives, confirms, submits, settles)).toEqual([
      ['deposit.seen'],
      ['deposit.confirmed', 'payment.funded'],
      ['leg.submitted'],
      ['leg.executed', 'payment.status_changed'],
    ]);
  });

  it('are none for a change without a new fact', () => {
    const start = aPayment().executing();
    expect(typesOf(start, isSame, (payment) => confirmDeposits(payment, 'alphanet', 99n))).toEqual([
      [],
      [],
    ]);
  });

  it('carry amounts, blocks and transactions, and no address of a person', () => {
    const [, [confirmed], [submitted], [executed, changed]] = entriesOf(
      aPayment(),
      arrives,
      confirms,
      submits,
      settles,
    ) as [NewEntry[], [NewEntry], [NewEntry], [NewEntry, NewEntry]];
    expect(confirmed.facts).toEqual({
      chain: 'alphanet',
      token: USDC,
      amount: '100',
      transaction_hash: arriving.transactionHash,
      block_number: 11,
      block_time: arriving.blockTimestamp.toISOString(),
    });
    expect(submitted.facts).toEqual({
      leg: 0,
      chain: 'alphanet',
      attempt: 1,
    });
    expect(executed.facts).toMatchObject({
      token: USDC,
      amount: '99',
      output_amount: '0.0329',
      transaction_hash: HASH,
    });
    expect(changed.facts).toEqual({ status: 'COMPLETE', previous_status: 'PENDING' });
    const text = JSON.stringify([confirmed, submitted, executed, changed]).toLowerCase();
    expect(text).not.toContain(OWNER.toLowerCase());
  });

  it('name, for a confirmation, deadlines, deposit, wallet and the owner’s signatures', () => {
    const payment = anOnrampPayment().build();
    expect(confirmationEntries(payment, ['EVM_OWNER'])).toEqual([
      { type: 'owner.verified', facts: { verification: 'EVM_OWNER' } },
      {
        type: 'payment.confirmed',
        facts: expect.objectContaining({
          status: 'PENDING',
          token: USDC,
          initiate_fund_by: payment.initiateFundBy.toISOString(),
          declaration_expires_at: payment.declarationExpiresAt.toISOString(),
          wallet_address: payment.walletAddress,
          provider: expect.any(String),
        }) as unknown,
      },
    ]);
  });

  it('record a reorg of a deposit as a new fact', () => {
    expect(typesOf(aPayment(), arrives, confirms, reorgs, arrives)).toEqual([
      ['deposit.seen'],
      ['deposit.confirmed', 'payment.funded'],
      ['deposit.reorganised', 'payment.unfunded'],
      ['deposit.seen'],
    ]);
  });

  it('record a reorg of a leg beyond its confirmations', () => {
    const undone: Change = (payment) => legUndone(payment, 0);
    expect(typesOf(bridging(), undone)).toEqual([['leg.reorganised', 'transfer.reorganised']]);
  });

  it('mark deposits of strangers that are worth nothing', () => {
    const dust = aDeposit({ amount: 10_000n });
    const [[entry]] = entriesOf(aPayment(), (payment) => recordDeposit(payment, dust)) as [
      [NewEntry],
    ];
    expect(entry.isDust).toBe(true);
    const [[other]] = entriesOf(aPayment(), arrives) as [[NewEntry]];
    expect(other.isDust).toBe(false);
  });

  it('follow a purchase at its provider', () => {
    const paid = reportOrder({ status: 'PROCESSING', paidAt: at, askedAt: at });
    const failed = reportOrder({ status: 'FAILED', failure: 'Card declined', askedAt: at });
    expect(typesOf(anOnrampPayment(), requestCheckout, openCheckout, paid, paid)).toEqual([
      ['checkout.requested'],
      ['checkout.opened'],
      ['checkout.reported'],
      [],
    ]);
    const [, , [reported]] = entriesOf(
      anOnrampPayment(),
      requestCheckout,
      openCheckout,
      failed,
    ) as [unknown, unknown, [NewEntry]];
    expect(reported.facts).toMatchObject({ provider_status: 'FAILED', reason: 'provider_failed' });
    // A provider may write about its customer.
    expect(JSON.stringify(reported)).not.toContain('declined');
  });

  it('tell failed attempts with new reasons, and the final failure', () => {
    const slipped: LegFailure = { reason: 'slippage', message: 'No route yields the minimum.' };
    const fails =
      (failure: LegFailure): Change =>
      (payment) =>
        legAttemptFailed(payment, 0, failure, at);
    const start = aPayment().deposited();
    const changes = [
      fails(slipped),
      fails({ ...slipped, tries: 2 }),
      fails({ reason: 'bridge', message: 'x'.repeat(5_000) }),
    ];
    expect(typesOf(start, ...changes)).toEqual([
      ['leg.attempt_failed'],
      [],
      ['leg.attempt_failed'],
    ]);
    expect(entriesOf(start, ...changes).at(-1)?.[0]?.facts.message).toHaveLength(200);
    const ends: Change = (payment, now) => legFailed(payment, 0, slipped, now);
    expect(typesOf(start, ends)).toEqual([['leg.failed', 'payment.status_changed']]);
  });

  it('name the deadline that ended a payment', () => {
    const late = minutesAfter(11);
    const expired = entriesOf(aPayment(), (payment, now) => applyDeadlines(payment, late, now));
    expect(expired).toEqual([
      [
        {
          type: 'deadline.passed',
          facts: { deadline: 'initiate_fund_by', until: minutesAfter(10).toISOString() },
        },
        {
          type: 'payment.status_changed',
          facts: { status: 'EXPIRED', previous_status: 'PENDING' },
        },
      ],
    ]);
    const years = minutesAfter(1e6);
    const ended = typesOf(aPayment().deposited(), (payment, now) =>
      applyDeadlines(payment, years, now),
    );
    expect(ended).toEqual([['leg.failed', 'deadline.passed', 'payment.status_changed']]);
    const early: LegFailure = { reason: 'expired', message: 'The declaration expires too early.' };
    const refused = typesOf(aPayment().deposited(), (payment, now) =>
      legFailed(payment, 0, early, now),
    );
    expect(refused).toEqual([['leg.failed', 'payment.status_changed']]);
  });

  describe('entries of a crossing', () => {
    const bridges: Change = (payment, now) =>
      legBridged(payment, 0, aBridgedSettlement(), aTransfer(), HASH, now);
    const unfilled = seen({ kind: 'unfilled' });

    it('follow the transfer to its delivery', () => {
      const delivery = aDelivery();
      const delivers: Change = (payment) => recordDeposit(payment, delivery);
      const lost: Change = (payment) => forgetDeposits(payment, 'betanet', 50n);
      expect(
        typesOf(aBridgedPayment().executing(), bridges, seen(aFill()), delivers, lost),
      ).toEqual([
        ['leg.executed', 'transfer.opened'],
        ['transfer.filled'],
        ['deposit.seen', 'deposit.confirmed', 'transfer.arrived'],
        ['deposit.reorganised', 'transfer.reorganised'],
      ]);
    });

    it('leave out a time that is no date', () => {
      const blockTimestamp = new Date(Number(2n ** 60n) * 1000);
      for (const outcome of [seen(aFill({ blockTimestamp })), seen(aRefund({ blockTimestamp }))]) {
        const [, [entry] = []] = entriesOf(aBridgedPayment().executing(), bridges, outcome);
        expect(entry?.facts.block_number).toBeGreaterThan(0);
        expect(entry?.facts).not.toHaveProperty('block_time');
      }
    });

    it('follow an undelivered transfer to its refund, and back', () => {
      const transferId = ORDER_ID;
      const refund: Change = (payment) =>
        walletRefundSubmitted(payment, 0, { transferId, attempt: 1 });
      const fails: Change = (payment, now) => walletRefundFailed(payment, 0, 1, now);
      const refunded: Change = (payment, now) =>
        seen(
          aRefund({
            recipient: getAddress(payment.walletAddress),
            feeReceiver: zeroAddress,
            fee: 0n,
          }),
        )(payment, now);
      const undone: Change = (payment) => forgetRefunds(payment, 'alphanet', 1_500n);
      expect(typesOf(bridging(), unfilled, refund, fails, refunded, undone)).toEqual([
        ['transfer.unfilled', 'leg.failed', 'payment.status_changed'],
        ['refund.submitted'],
        ['refund.failed'],
        ['transfer.refunded'],
        ['transfer.reorganised'],
      ]);
    });

    it('show a refund that the owner directed as a withdrawal, which needs no request here', () => {
      const [, entries] = entriesOf(bridging(), unfilled, seen(aRefund()));
      expect(entries?.map(({ type }) => type)).toEqual([
        'transfer.refunded',
        'withdrawal.mined',
        'payment.status_changed',
      ]);
      expect(entries?.[1]?.facts).toMatchObject({ is_external: true, withdraw_account: 'INTENT' });
      expect(entries?.[1]?.facts).not.toHaveProperty('withdraw_id');
    });
  });

  describe('entries of a withdrawal', () => {
    const withdrawId = '0190b2c3-0000-7000-8000-00000000000a';
    const nonce = (BigInt(minutesAfter(30).getTime() / 1000) << 192n) + 7n;
    const state: ReportedWithdrawal = {
      version: 1,
      withdraw_id: withdrawId,
      payment_id: '',
      org_id: ORG_ID,
      chain: 'alphanet',
      wallet_address: '',
      withdraw_account: 'SPW',
      transferId: null,
      token_amounts: [{ token: USDC, amount: '100' }],
      recipient_address: OWNER,
      accept_blame: true,
      nonce: nonce.toString(),
      submitted: false,
      status: 'PENDING',
      transaction_hash: null,
      failure: null,
      expires_at: minutesAfter(30).toISOString(),
      updated_at: at.toISOString(),
    };
    const reports =
      (change: Partial<ReportedWithdrawal>): Change =>
      (payment, now) =>
        withdrawalReported(payment, { ...state, ...change }, now);
    const mines: Change = (payment, now) =>
      withdrawalMined(
        payment,
        {
          ...{ chain: 'alphanet', nonce, withdrawId, acceptBlame: true },
          mined: { transactionHash: HASH, blockNumber: 500n, blockTimestamp: at, remaining: [] },
        },
        () => aPolicy,
        now,
      );
    const start = aPayment().deposited({ amount: 60_000_000n });
    const submitted = reports({ version: 2, submitted: true });

    it('follow the withdrawal from its request to the chain, and a reorg', () => {
      const undone: Change = (payment, now) =>
        forgetMinedWithdrawals(payment, 'alphanet', 500n, now);
      expect(typesOf(start, reports({}), submitted, submitted, mines, mines, undone)).toEqual([
        ['withdrawal.requested'],
        ['withdrawal.submitted', 'payment.status_changed'],
        [],
        ['withdrawal.mined', 'payment.status_changed'],
        [],
        ['withdrawal.reorganised', 'payment.status_changed'],
      ]);
    });

    it('tell how it ended otherwise', () => {
      const failed = reports({ version: 3, submitted: true, status: 'FAILED', failure: 'No gas.' });
      expect(typesOf(start, reports({}), submitted, failed).at(-1)).toEqual([
        'withdrawal.failed',
        'payment.status_changed',
      ]);
      const confirmedUpTo = new Map([['alphanet', minutesAfter(31)]]);
      const expires: Change = (payment, now) => endExpiredWithdrawals(payment, confirmedUpTo, now);
      expect(typesOf(start, reports({}), submitted, expires).at(-1)).toEqual([
        'withdrawal.expired',
        'payment.status_changed',
      ]);
    });

    it('tell a withdrawal that a stranger submitted on chain', () => {
      const [entries] = entriesOf(start, mines);
      expect(entries?.[0]).toMatchObject({
        type: 'withdrawal.mined',
        facts: { is_external: true, withdraw_id: withdrawId, transaction_hash: HASH },
      });
      expect(JSON.stringify(entries)).not.toContain(OWNER);
    });
  });
});

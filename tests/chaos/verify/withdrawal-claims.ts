import { parseWithdrawalNonce } from '@bascule/solidity';
import { acceptanceOf, type TestPayment } from '../payments/test-payment.js';
import { lower, sum, type ChainRecord } from './chain-record.js';
import type { DatabaseRows } from './database-rows.js';
import type { Claim, Findings } from './findings.js';
import { paymentLabel } from './payment-label.js';

/** Claims about withdrawals: signed terms, reported status, chain and the records of both services. */
export class WithdrawalClaims {
  readonly #once: Claim;
  readonly #signed: Claim;
  readonly #known: Claim;

  constructor(findings: Findings) {
    this.#once = findings.claim('a withdrawal is mined once if it succeeded, else never');
    this.#signed = findings.claim('owners get exactly the signed amounts');
    this.#known = findings.claim('both services have the right outcome of each withdrawal');
  }

  verify(payment: TestPayment, record: ChainRecord, rows: DatabaseRows): void {
    const { id, wallet } = acceptanceOf(payment);
    const mined = record.withdrawals.filter((each) => each.wallet === lower(wallet));
    const minedIds = mined.map(({ nonce }) => parseWithdrawalNonce(nonce).withdrawId);
    // Users withdraw their deposits on the chain of the deposit.
    if (record.chain.name !== payment.chain.name) {
      this.#once.equal(paymentLabel(payment), mined.length, 0);
      return;
    }
    for (const { withdrawId, status } of payment.withdrawals) {
      const times = minedIds.filter((each) => each === withdrawId).length;
      this.#once.equal(
        `${paymentLabel(payment)} ${withdrawId}`,
        times,
        status === 'SUCCESS' ? 1 : 0,
      );
    }
    // Every mined withdrawal is one of the owner's.
    const known = new Set(payment.withdrawals.map(({ withdrawId }) => withdrawId));
    this.#once.holds(
      paymentLabel(payment),
      minedIds.every((each) => known.has(each)),
      minedIds,
    );
    this.#verifyMoney(payment, record);
    this.#verifyRows(payment, rows, minedIds);
    this.#known.equal(
      `${paymentLabel(payment)} mined in payment`,
      rows.paymentWithdrawals.filter(({ paymentId, mined: at }) => paymentId === id && at !== null)
        .length,
      mined.length,
    );
  }

  #verifyMoney(payment: TestPayment, { transfers }: ChainRecord): void {
    const wallet = lower(acceptanceOf(payment).wallet);
    for (const { takes, status, transactionHash } of payment.withdrawals) {
      if (status !== 'SUCCESS') continue;
      const inIt = transfers.filter(
        ({ from, hash }) => from === wallet && hash === transactionHash,
      );
      for (const { token, to, units } of takes) {
        const moved = inIt.filter((each) => each.token === token && each.to === lower(to));
        this.#signed.equal(paymentLabel(payment), sum(moved.map((each) => each.units)), units);
      }
      this.#signed.equal(`${paymentLabel(payment)} transfers`, inIt.length, takes.length);
    }
  }

  #verifyRows(
    payment: TestPayment,
    { withdrawals, paymentWithdrawals }: DatabaseRows,
    minedIds: string[],
  ): void {
    for (const { withdrawId, byService, status, transactionHash } of payment.withdrawals) {
      const row = withdrawals.find(({ id }) => id === withdrawId);
      if (byService) {
        const is = row?.status === 'SUCCESS';
        this.#known.holds(
          `${paymentLabel(payment)} ${withdrawId} in withdrawal`,
          is === (status === 'SUCCESS'),
          row,
        );
        this.#known.equal(
          `${paymentLabel(payment)} ${withdrawId} hash`,
          is ? row.hash : null,
          transactionHash,
        );
      }
      const recorded = paymentWithdrawals.find((each) => each.withdrawId === withdrawId);
      if (!minedIds.includes(withdrawId)) continue;
      this.#known.equal(
        `${paymentLabel(payment)} ${withdrawId} in payment`,
        recorded?.status,
        'SUCCESS',
      );
    }
  }
}

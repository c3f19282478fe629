import { parseWithdrawalNonce } from '@bascule/solidity';
import { acceptanceOf, type Play } from '../payments/play.js';
import { lower, sum, type ChainRecord } from './chain-record.js';
import type { Databases } from './databases.js';
import type { Claim, Findings } from './findings.js';
import { named } from './named.js';

/** Withdrawals: what owners signed, what they were told, what the chain did and what both services know. */
export class Withdrawals {
  readonly #once: Claim;
  readonly #signed: Claim;
  readonly #known: Claim;

  constructor(findings: Findings) {
    this.#once = findings.claim('a withdrawal lands once if it succeeded, else never');
    this.#signed = findings.claim('owners get exactly what they signed for');
    this.#known = findings.claim('both services know how each withdrawal ended');
  }

  verify(play: Play, record: ChainRecord, rows: Databases): void {
    const { id, wallet } = acceptanceOf(play);
    const landed = record.withdrawals.filter((each) => each.wallet === lower(wallet));
    const landedIds = landed.map(({ nonce }) => parseWithdrawalNonce(nonce).withdrawId);
    // Players take out what they sent, where they sent it.
    if (record.chain.name !== play.chain.name) {
      this.#once.equal(named(play), landed.length, 0);
      return;
    }
    for (const { withdrawId, status } of play.withdrawals) {
      const times = landedIds.filter((each) => each === withdrawId).length;
      this.#once.equal(`${named(play)} ${withdrawId}`, times, status === 'SUCCESS' ? 1 : 0);
    }
    // Nothing lands that the owner does not know of.
    const known = new Set(play.withdrawals.map(({ withdrawId }) => withdrawId));
    this.#once.holds(
      named(play),
      landedIds.every((each) => known.has(each)),
      landedIds,
    );
    this.#verifyMoney(play, record);
    this.#verifyRows(play, rows, landedIds);
    this.#known.equal(
      `${named(play)} landed in payment`,
      rows.landings.filter(({ paymentId, landed: at }) => paymentId === id && at !== null).length,
      landed.length,
    );
  }

  #verifyMoney(play: Play, { transfers }: ChainRecord): void {
    const wallet = lower(acceptanceOf(play).wallet);
    for (const { takes, status, transactionHash } of play.withdrawals) {
      if (status !== 'SUCCESS') continue;
      const inIt = transfers.filter(
        ({ from, hash }) => from === wallet && hash === transactionHash,
      );
      for (const { token, to, units } of takes) {
        const moved = inIt.filter((each) => each.token === token && each.to === lower(to));
        this.#signed.equal(named(play), sum(moved.map((each) => each.units)), units);
      }
      this.#signed.equal(`${named(play)} transfers`, inIt.length, takes.length);
    }
  }

  #verifyRows(play: Play, { withdrawals, landings }: Databases, landedIds: string[]): void {
    for (const { withdrawId, byService, status, transactionHash } of play.withdrawals) {
      const row = withdrawals.find(({ id }) => id === withdrawId);
      if (byService) {
        const is = row?.status === 'SUCCESS';
        this.#known.holds(
          `${named(play)} ${withdrawId} in withdrawal`,
          is === (status === 'SUCCESS'),
          row,
        );
        this.#known.equal(
          `${named(play)} ${withdrawId} hash`,
          is ? row.hash : null,
          transactionHash,
        );
      }
      const landing = landings.find((each) => each.withdrawId === withdrawId);
      if (!landedIds.includes(withdrawId)) continue;
      this.#known.equal(`${named(play)} ${withdrawId} in payment`, landing?.status, 'SUCCESS');
    }
  }
}

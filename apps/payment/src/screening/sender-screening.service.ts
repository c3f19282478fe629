import { faultPoint } from '@bascule/process';
import { Screening } from '@bascule/screening';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { PAYMENT_POLICY } from '../config/payment.config.js';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { applyVerdicts, sendersByValue, taint, UNKNOWN_SENDER } from '../life-cycle/sanctions.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import type { Mutation } from '../persistence/payment-store.repository.js';
import { sanctionedRoles, taintCauseOf } from './screened-parties.js';
import type { Party } from './screened-parties.js';
import { SenderScreeningRepository } from './sender-screening.repository.js';

export interface SenderScreeningResult {
  /** The payment is tainted now. */
  isTainted: boolean;
  /** Senders without a verdict, lower case. */
  unscreened: ReadonlySet<string>;
}

/** Senders that one question is about; the worker screens those that a leg leaves. */
export const AT_ONCE = 100;

/** Screens the senders of deposits, and taints payments by them. */
@Injectable()
export class SenderScreeningService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly screening: Screening,
    private readonly senders: SenderScreeningRepository,
    private readonly store: PaymentStoreRepository,
    @Inject(PAYMENT_POLICY) private readonly policy: PaymentPolicy,
  ) {}

  /**
   * Makes the senders of new deposits due, in the transaction that has locked the payment and records the deposits.
   * @returns the change that the deposits mean for withdrawals, which wait for verdicts about their senders
   */
  async arrived(
    manager: EntityManager,
    paymentId: string,
    senders: readonly string[],
  ): Promise<Mutation> {
    if (!this.screening.isEnabled) return (payment) => payment;
    if (senders.length > 0) {
      await this.senders.enqueue(manager, paymentId, [...new Set(senders)]);
    }
    const verdicts = await this.senders.verdicts(paymentId, manager, senders);
    return (payment, now) => applyVerdicts(payment, verdicts, this.policy, now);
  }

  /** Applies known verdicts to deposits that became final or were lost to a reorg, in the transaction that records it. */
  async recheck(manager: EntityManager, paymentId: string): Promise<void> {
    if (this.screening.isEnabled) await this.senders.recheck(manager, paymentId);
  }

  /** Screens a payment's senders without a verdict, those of the largest deposits first. */
  async screenAll(payment: PaymentRecord): Promise<SenderScreeningResult> {
    const verdicts = await this.senders.verdicts(payment.id);
    const pending = sendersByValue(payment).filter((address) => !verdicts.has(address));
    const hasHit = [...verdicts.values()].includes(true);
    const first = pending.slice(0, AT_ONCE);
    const rest = [...pending.slice(AT_ONCE), UNKNOWN_SENDER];
    if (first.length === 0 && !hasHit) return { isTainted: false, unscreened: new Set(rest) };
    const { isTainted, unscreened } = await this.screen(payment.id, first);
    return { isTainted, unscreened: new Set([...unscreened, ...rest]) };
  }

  /**
   * Screens senders of new deposits, and the payment's owner and destination with them. Without an answer about these, all
   * senders count as unscreened, so that they are due again.
   */
  async screenArrivals(
    paymentId: string,
    senders: readonly string[],
  ): Promise<SenderScreeningResult> {
    return this.screen(paymentId, senders, await this.senders.taintingParties(paymentId));
  }

  /** Screens addresses, records the verdicts about senders, and taints the payment where its table says so. */
  private async screen(
    paymentId: string,
    senders: readonly string[],
    parties: readonly Party[] = [],
  ): Promise<SenderScreeningResult> {
    const reason = { purpose: 'deposit', reference: paymentId } as const;
    const others = parties.map(({ address }) => address);
    const { sanctioned, unanswered } = await this.screening.screen(reason, [...senders, ...others]);
    const verdicts = senders
      .filter((address) => sanctioned.has(address) || !unanswered.has(address))
      .map((address) => ({ address, sanctioned: sanctioned.has(address) }));
    const cause = taintCauseOf(sanctionedRoles(parties, sanctioned));
    const after = await this.dataSource.transaction(async (manager) => {
      const all = await this.senders.record(manager, paymentId, verdicts);
      const changed = await this.store.change(manager, paymentId, (payment, now) => {
        const tainted = cause === undefined ? payment : taint(payment, cause, now);
        return applyVerdicts(tainted, all, this.policy, now);
      });
      faultPoint('payment.sender-screened');
      return changed;
    });
    faultPoint('payment.sender-screened');
    const isOpen = cause === undefined && others.some((it) => unanswered.has(it.toLowerCase()));
    const isUnscreened = (it: string) => isOpen || (unanswered.has(it) && !sanctioned.has(it));
    return {
      isTainted: after?.status === 'TAINTED',
      unscreened: new Set(senders.filter(isUnscreened)),
    };
  }
}

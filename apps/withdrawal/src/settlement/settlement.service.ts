import { Chains } from '@bascule/chain';
import { ServiceContext, faultPoint } from '@bascule/process';
import { ScreeningUnavailableError } from '@bascule/screening';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Hex } from 'viem';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import type { WithdrawalFact } from '../life-cycle/transitions.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { FROZEN_REASON, PaymentAccessService } from '../payments/payment-access.service.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalScreeningService } from '../screening/withdrawal-screening.service.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { SettlementWatchService } from './settlement-watch.service.js';
import { decideSettlement, isEndExpected } from './settlement-decision.js';
import type { OwnTransaction } from './settlement-decision.js';
import { refusalOf } from './refusal.js';
import { SubmissionService } from './submission.service.js';

/** Compares withdrawals with their chains and applies the result. */
@Injectable()
export class SettlementService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly withdrawals: WithdrawalRepository,
    private readonly payments: PaymentAccessService,
    private readonly accounts: WithdrawalAccountsService,
    private readonly screening: WithdrawalScreeningService,
    private readonly submissions: SubmissionService,
    private readonly watch: SettlementWatchService,
    private readonly chains: Chains,
    private readonly settings: WithdrawalSettings,
    private readonly context: ServiceContext,
  ) {}

  /** Milliseconds between comparisons of a withdrawal that is expected to land: half a block, within limits. */
  pauseOn(chain: string): number {
    return Math.max(
      this.chains.get(chain).definition.blockTimeMs / 2,
      this.settings.timing.checkMs.min,
    );
  }

  /** Returns true when nothing can change any more. */
  async settle(record: WithdrawalRecord, own: OwnTransaction): Promise<boolean> {
    const account = this.accounts.get(record.withdrawAccount);
    const observation = await account.observe(
      record,
      isEndExpected(own, record.expiresAt, new Date()),
    );
    const decision = decideSettlement(observation, own);
    if (decision === 'submit-again') await this.submitAgain(record);
    else if (decision !== null) await this.apply(record, decision);
    return observation.state !== 'open' || observation.isExpired;
  }

  /** Ends a withdrawal that a final block after its expiry does not contain. */
  async expire(record: WithdrawalRecord): Promise<void> {
    await this.apply(record, { kind: 'expired' });
  }

  /** Fails a withdrawal whose submission was refused; false when it has ended or was submitted since it was read. */
  fail(record: WithdrawalRecord, reason: string): Promise<boolean> {
    return this.apply(record, { kind: 'failed', reason });
  }

  /** Applies a fact to the withdrawal that it was read for; false when nothing changed. */
  private async apply(
    { id, submissions }: WithdrawalRecord,
    fact: WithdrawalFact,
  ): Promise<boolean> {
    const changed = await this.dataSource.transaction(async (manager) => {
      const locked = await this.withdrawals.lock(manager, id);
      // A later submission may still land.
      if (fact.kind === 'failed' && locked.submissions !== submissions) return null;
      return this.withdrawals.apply(manager, locked, fact);
    });
    if (changed === null) return false;
    faultPoint('withdrawal.settled');
    this.context.logger.info(
      { withdraw_id: id, status: changed.status, hash: changed.transactionHash },
      'withdrawal settled',
    );
    this.watch.notifySettled(id);
    return true;
  }

  /** Screens before a further submission; false without an answer, and for a hit, which fails the withdrawal. */
  private async isClear(record: WithdrawalRecord): Promise<boolean> {
    try {
      const hit = await this.screening.hitOf(record, 'spend');
      if (hit !== null) await this.refuse(record, hit.reason);
      return hit === null;
    } catch (error) {
      if (!(error instanceof ScreeningUnavailableError)) throw error;
      this.noteRefusal(record, 'screening unavailable');
      return false;
    }
  }

  private async refuse(record: WithdrawalRecord, reason: string): Promise<void> {
    this.noteRefusal(record, reason);
    await this.fail(record, reason);
  }

  private noteRefusal({ id }: WithdrawalRecord, reason: string): void {
    this.context.logger.warn({ withdraw_id: id, reason }, 'withdrawal not submitted again');
  }

  /**
   * Submits a dropped signature in a new transaction, or fails the withdrawal where that is refused. While screening has no
   * answer, a later check tries again.
   */
  private async submitAgain(dropped: WithdrawalRecord): Promise<void> {
    const { signature } = dropped;
    if (dropped.status !== 'PENDING' || signature === null) return;
    if (!(await this.isClear(dropped))) return;
    try {
      await this.recordAgain(dropped, signature as Hex);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      const { kind, reason } = refusal;
      if (kind === 'refused' || kind === 'unsubmittable') await this.fail(dropped, reason);
    }
  }

  private async recordAgain(dropped: WithdrawalRecord, signature: Hex): Promise<void> {
    const { id } = dropped;
    const call = await this.submissions.prepare(dropped, signature);
    const outcome = await this.submissions.record(dropped, call, async (manager, reserve) => {
      const record = await this.withdrawals.lock(manager, id);
      const isDropped = (await this.submissions.newest(record, manager)) === 'dropped';
      const isSame = record.submissions === dropped.submissions;
      if (record.status !== 'PENDING' || !isDropped || !isSame) return null;
      const movability = await this.payments.movability(manager, record);
      if (movability !== 'movable') return movability;
      await reserve();
      return record.submissions + 1;
    });
    if (outcome === 'frozen') await this.refuse(dropped, FROZEN_REASON);
    else if (outcome === 'waiting') this.noteRefusal(dropped, 'senders not screened');
    else if (outcome !== null) await this.submissions.send(id, outcome);
  }
}

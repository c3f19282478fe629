import { ServiceError } from '@bascule/contracts';
import { ServiceContext, faultPoint } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Hex } from 'viem';
import { WithdrawalAccountsService } from '../accounts/withdrawal-accounts.service.js';
import type { WithdrawalFact } from '../life-cycle/transitions.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalScreeningService } from '../screening/withdrawal-screening.service.js';
import { SettlementWatchService } from './settlement-watch.service.js';
import { decideSettlement } from './settlement-decision.js';
import type { OwnTransaction } from './settlement-decision.js';
import { refusalOf } from './refusal.js';
import { SubmissionService } from './submission.service.js';

/** Compares withdrawals with their chains and applies the result. */
@Injectable()
export class SettlementService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly withdrawals: WithdrawalRepository,
    private readonly accounts: WithdrawalAccountsService,
    private readonly screening: WithdrawalScreeningService,
    private readonly submissions: SubmissionService,
    private readonly watch: SettlementWatchService,
    private readonly context: ServiceContext,
  ) {}

  /** Returns true when nothing can change any more. */
  async settle(record: WithdrawalRecord, own: OwnTransaction): Promise<boolean> {
    const observation = await this.accounts.get(record.withdrawAccount).observe(record);
    const decision = decideSettlement(observation, own);
    if (decision === 'submit-again') await this.submitAgain(record);
    else if (decision !== null) await this.apply(record, decision);
    return observation.state !== 'open' || observation.isExpired;
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

  /** False for a sanctioned address, and while a source does not answer; a later check asks again. */
  private async isClear(record: WithdrawalRecord): Promise<boolean> {
    try {
      await this.screening.requireClear(record);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const facts = { withdraw_id: record.id, reason: error.message };
      this.context.logger.warn(facts, 'withdrawal not submitted again');
      return false;
    }
  }

  /** Submits the same signature in a new transaction after the former one was dropped. */
  private async submitAgain(dropped: WithdrawalRecord): Promise<void> {
    const { id, signature } = dropped;
    if (dropped.status !== 'PENDING' || signature === null) return;
    if (!(await this.isClear(dropped))) return;
    try {
      const call = await this.submissions.prepare(dropped, signature as Hex);
      const number = await this.dataSource.transaction(async (manager) => {
        const record = await this.withdrawals.lock(manager, id);
        const isDropped = (await this.submissions.newest(record)) === 'dropped';
        if (record.status !== 'PENDING' || !isDropped) return null;
        await this.submissions.record(manager, record, call);
        return record.submissions + 1;
      });
      if (number !== null) await this.submissions.send(id, number);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) throw error;
      const { kind, reason } = refusal;
      if (kind === 'refused' || kind === 'unsubmittable') await this.fail(dropped, reason);
    }
  }
}

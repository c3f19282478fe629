import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { SettlementService } from '../settlement/settlement.service.js';
import { SubmissionService } from '../settlement/submission.service.js';

/** Compares withdrawals with the chain that another transaction executed first, at the request of waiting clients. */
@Injectable()
export class OvertakenChecksService {
  private readonly checks = new Map<string, Promise<void>>();

  constructor(
    private readonly settlement: SettlementService,
    private readonly submissions: SubmissionService,
    private readonly context: ServiceContext,
  ) {}

  /** Compares once in each pause of the chain, however many requests wait for the withdrawal. */
  compare(record: WithdrawalRecord): Promise<void> {
    const { id, chain } = record;
    const running = this.checks.get(id);
    if (running !== undefined) return running;
    const check = this.check(record).finally(() => {
      setTimeout(() => this.checks.delete(id), this.settlement.pauseOn(chain)).unref();
    });
    this.checks.set(id, check);
    return check;
  }

  private async check(record: WithdrawalRecord): Promise<void> {
    try {
      await this.settlement.settle(record, await this.submissions.newest(record));
    } catch (error) {
      const { id } = record;
      this.context.logger.warn({ err: error, withdraw_id: id }, 'could not check a withdrawal');
    }
  }
}

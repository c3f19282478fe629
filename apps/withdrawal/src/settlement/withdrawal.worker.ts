import { Chains } from '@bascule/chain';
import { DueWorker, literal } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { TransactionWorker } from '@bascule/transactions';
import type { TransactionOutcome } from '@bascule/transactions';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { submissionReference, withdrawIdOf } from '../life-cycle/submission.js';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';
import { IS_IN_FLIGHT } from '../persistence/withdrawal.entity.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { SettlementService } from './settlement.service.js';
import { SubmissionService } from './submission.service.js';

interface DueWithdrawal {
  id: string;
  org_id: string;
  traceparent: string | null;
}

/** Withdrawals of a chain in progress, and those of one organisation among them. */
const CONCURRENCY = 8;
const MOST_OF_ORGANISATION = 4;

/** Compares the withdrawals in flight with their chains. Each chain has a worker: one that hangs delays no other. */
@Injectable()
export class WithdrawalWorker implements OnApplicationBootstrap {
  private readonly workers: readonly DueWorker<DueWithdrawal>[];

  constructor(
    dataSource: DataSource,
    context: ServiceContext,
    chains: Chains,
    private readonly withdrawals: WithdrawalRepository,
    private readonly submissions: SubmissionService,
    private readonly settlement: SettlementService,
    settings: WithdrawalSettings,
    transactions: TransactionWorker,
  ) {
    transactions.onSettled((reference, outcome) => this.settled(reference, outcome));
    this.workers = chains.all().map(
      ({ name: chain }) =>
        new DueWorker<DueWithdrawal>({
          name: 'withdrawals',
          dataSource,
          table: 'withdrawals',
          select: 'withdrawals.id, withdrawals.org_id, withdrawals.traceparent',
          where: `${IS_IN_FLIGHT} AND chain = ${literal(chain)}`,
          holders: { column: 'org_id', most: MOST_OF_ORGANISATION },
          traceparentOf: ({ traceparent }) => traceparent,
          batchSize: CONCURRENCY,
          concurrency: CONCURRENCY,
          leaseMs: 10_000,
          pollMs: settings.timing.pollMs,
          handle: ({ id }) => this.check(id),
          context,
        }),
    );
  }

  onApplicationBootstrap(): void {
    for (const worker of this.workers) worker.start();
  }

  /** Runs now instead of at the next poll. */
  wake(): void {
    for (const worker of this.workers) worker.wake();
  }

  private async settled(reference: string, outcome: TransactionOutcome): Promise<void> {
    const record = await this.withdrawals.find(withdrawIdOf(reference));
    // The outcome of an earlier submission says nothing about the newest.
    if (record === null || reference !== newestReference(record)) return;
    await this.settlement.settle(record, outcome.status);
  }

  private async check(id: string): Promise<void> {
    const record = await this.withdrawals.find(id);
    if (record === null) return;
    const isOver = await this.settlement.settle(record, await this.submissions.newest(record));
    await this.withdrawals.scheduleCheck(id, isOver ? null : this.settlement.pauseOn(record.chain));
  }
}

const newestReference = ({ id, submissions }: WithdrawalRecord): string =>
  submissionReference(id, submissions);

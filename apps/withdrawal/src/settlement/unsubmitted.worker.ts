import { Chains } from '@bascule/chain';
import { DueWorker, slotsPerChain } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { IS_NOT_IN_FLIGHT } from '../persistence/withdrawal.entity.js';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { WithdrawalSettings } from '../settings/withdrawal-settings.js';
import { UnsubmittedChecksService } from './unsubmitted-checks.service.js';

/** Withdrawals of a chain that share one request to its node. */
const BATCH = 100;
const LEASE_MS = 60_000;

interface DueWithdrawal {
  id: string;
  chain: string;
}

/** Checks withdrawals that only others can submit, in batches of a chain and apart from the withdrawals in flight. */
@Injectable()
export class UnsubmittedWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<DueWithdrawal>;

  constructor(
    dataSource: DataSource,
    context: ServiceContext,
    settings: WithdrawalSettings,
    chains: Chains,
    private readonly withdrawals: WithdrawalRepository,
    private readonly checks: UnsubmittedChecksService,
  ) {
    this.worker = new DueWorker<DueWithdrawal>({
      name: 'unsubmitted-withdrawals',
      dataSource,
      table: 'withdrawals',
      select: 'withdrawals.id, withdrawals.chain',
      where: IS_NOT_IN_FLIGHT,
      ...slotsPerChain(1, chains.all().length),
      leaseMs: LEASE_MS,
      pollMs: settings.timing.pollMs,
      handle: (row) => this.check(row),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  private async check({ id, chain }: DueWithdrawal): Promise<void> {
    const others = await this.withdrawals.claimOthers(chain, LEASE_MS, BATCH - 1);
    await this.checks.check(chain, [id, ...others]);
  }
}

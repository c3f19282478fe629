import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TransferService } from './transfer.service.js';

interface DueWallet {
  id: string;
  provider: string;
  network: string;
}

const CHECK_MS = 5_000;

/** Rebroadcasts transfers of completed orders that a reorg removed. */
@Injectable()
export class WalletWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<DueWallet>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly transfers: TransferService,
    private readonly context: ServiceContext,
  ) {
    this.worker = new DueWorker<DueWallet>({
      name: 'wallets',
      dataSource,
      table: 'wallets',
      batchSize: 10,
      concurrency: 4,
      leaseMs: 10_000,
      pollMs: 1_000,
      handle: (row) => this.check(row),
      context,
    });
  }

  onApplicationBootstrap(): void {
    this.worker.start();
  }

  private async check(wallet: DueWallet): Promise<void> {
    const sent = await this.transfers.resend(wallet);
    if (sent > 0) this.context.logger.info({ wallet: wallet.id, sent }, 'transfers rebroadcast');
    await this.dataSource.query(
      `UPDATE wallets SET due_at = now() + $2 * interval '1 millisecond' WHERE id = $1`,
      [wallet.id, CHECK_MS],
    );
  }
}

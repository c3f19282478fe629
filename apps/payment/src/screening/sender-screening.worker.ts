import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Screening } from '@bascule/screening';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { SenderScreeningRepository } from './sender-screening.repository.js';
import { SenderScreeningService } from './sender-screening.service.js';

interface DueSender {
  id: string;
  payment_id: string;
  address: string;
  /** End of the claim, with all digits of the database. */
  claimed_until: string;
}

/** Longer than a source's time limit; also the delay after a source did not answer. */
const LEASE_MS = 10_000;

/** Screens the senders of deposits as they are seen. */
@Injectable()
export class SenderScreeningWorker implements OnApplicationBootstrap {
  private readonly worker: DueWorker<DueSender>;

  constructor(
    dataSource: DataSource,
    private readonly screening: Screening,
    private readonly service: SenderScreeningService,
    private readonly senders: SenderScreeningRepository,
    context: ServiceContext,
    @Inject(PAYMENT_CONFIG) { timing }: PaymentConfig,
  ) {
    this.worker = new DueWorker<DueSender>({
      name: 'sender-screenings',
      dataSource,
      table: 'sender_screenings',
      select: 'id, payment_id, address, due_at::text AS claimed_until',
      batchSize: 20,
      concurrency: 4,
      leaseMs: LEASE_MS,
      pollMs: timing.workerPollMs,
      handle: (row) => this.handle(row),
      context,
    });
  }

  onApplicationBootstrap(): void {
    if (this.screening.isEnabled) this.worker.start();
  }

  /** Screens new senders now instead of at the next poll. */
  wake(): void {
    this.worker.wake();
  }

  private async handle({ id, payment_id, address, claimed_until }: DueSender): Promise<void> {
    const { unscreened } = await this.service.screen(payment_id, [address]);
    // Without an answer the claim ends, and the sender is due again.
    if (unscreened.size === 0) await this.senders.finish(id, claimed_until);
  }
}

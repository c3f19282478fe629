import { DueWorker } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { Screening } from '@bascule/screening';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { SenderScreeningRepository } from './sender-screening.repository.js';
import type { ClaimedSender } from './sender-screening.repository.js';
import { AT_ONCE, SenderScreeningService } from './sender-screening.service.js';

interface DueSender extends ClaimedSender {
  payment_id: string;
}

/** Longer than a source's time limit; also the delay after a source did not answer. */
const LEASE_MS = 10_000;
const CONCURRENCY = 4;

/** Screens the senders of deposits as they are seen, and their payments' parties. */
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
      // Each handler claims the other due senders of its payment.
      batchSize: CONCURRENCY,
      concurrency: CONCURRENCY,
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

  /** Asks about all due senders of a payment at once, so that strangers' dust costs few questions. */
  private async handle(first: DueSender): Promise<void> {
    const { payment_id: paymentId } = first;
    const rest = await this.senders.claim(paymentId, { leaseMs: LEASE_MS, limit: AT_ONCE - 1 });
    const claimed = [first, ...rest];
    const addresses = claimed.map(({ address }) => address);
    const { unscreened } = await this.service.screenArrivals(paymentId, addresses);
    // Without an answer the claim ends, and the sender is due again.
    await this.senders.finish(claimed.filter(({ address }) => !unscreened.has(address)));
  }
}

import { ServiceContext, WakeSignal } from '@bascule/process';
import { Inject, Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { RepublicationService } from './republication.service.js';

/** Payments of one poll: an upgrade republishes all payments, beside the events of the day. */
const BATCH = 100;
/** Delay after payments that could not be republished. */
const RETRY_MS = 30_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Republishes payments after an upgrade, a batch per poll; concurrent replicas are harmless. */
@Injectable()
export class RepublicationWorker implements OnApplicationBootstrap {
  private readonly signal = new WakeSignal();
  /** Last payment of the batch before, so that one that fails keeps no other one back. */
  private after = BEFORE_ALL;
  private hasFailed = false;

  constructor(
    private readonly republication: RepublicationService,
    private readonly context: ServiceContext,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  onApplicationBootstrap(): void {
    const { shutdown } = this.context;
    shutdown.stopping.addEventListener('abort', () => {
      this.signal.wake();
    });
    const loop = this.run();
    shutdown.add('work', 'worker republication', () => loop);
  }

  private async run(): Promise<void> {
    while (!this.context.shutdown.stopping.aborted) {
      const waitMs = await this.pass().catch((err: unknown) => {
        this.context.logger.warn({ err }, 'listing payments to republish failed');
        return RETRY_MS;
      });
      await this.signal.wait(waitMs);
    }
  }

  /** Republishes a batch; returns the delay before the next one. */
  private async pass(): Promise<number> {
    const ids = await this.republication.due(this.after, BATCH);
    for (const id of ids) {
      if (this.context.shutdown.stopping.aborted) break;
      await this.republication.republish(id).catch((err: unknown) => {
        this.hasFailed = true;
        this.context.logger.error({ err, payment_id: id }, 'republishing a payment failed');
      });
    }
    const { workerPollMs } = this.config.timing;
    this.after = ids.at(BATCH - 1) ?? BEFORE_ALL;
    if (this.after !== BEFORE_ALL) return workerPollMs;
    const waitMs = this.hasFailed ? RETRY_MS : workerPollMs;
    this.hasFailed = false;
    return waitMs;
  }
}

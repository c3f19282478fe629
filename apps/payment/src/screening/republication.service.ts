import { Screening } from '@bascule/screening';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PAYMENT_POLICY } from '../config/payment.config.js';
import type { PaymentPolicy } from '../life-cycle/policy.js';
import { applyVerdicts } from '../life-cycle/sanctions.js';
import { IS_UNPUBLISHED } from '../persistence/open-payments.js';
import { PaymentStoreRepository } from '../persistence/payment-store.repository.js';
import { SenderScreeningRepository } from './sender-screening.repository.js';

/** Corrects payments that a version of the service before changed, also one that still runs beside this one. */
@Injectable()
export class RepublicationService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly screening: Screening,
    private readonly senders: SenderScreeningRepository,
    private readonly store: PaymentStoreRepository,
    @Inject(PAYMENT_POLICY) private readonly policy: PaymentPolicy,
  ) {}

  /** Lists payments to republish, in the order of their ids, after one. */
  async due(after: string, limit: number): Promise<string[]> {
    const unjudged = this.screening.isEnabled ? await this.senders.unjudged(after, limit) : [];
    const unpublished: { id: string }[] = await this.dataSource.query(
      `SELECT id FROM payments WHERE ${IS_UNPUBLISHED} AND id > $1 ORDER BY id LIMIT $2`,
      [after, limit],
    );
    const ids = new Set([...unjudged, ...unpublished.map(({ id }) => id)]);
    return [...ids].sort().slice(0, limit);
  }

  /** Judges a payment by the verdicts about its senders and publishes its state, without a question to a source. */
  async republish(paymentId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const verdicts = await this.senders.lock(manager, paymentId);
      const isJudged =
        this.screening.isEnabled && (await this.senders.enqueueMissing(manager, paymentId));
      await this.store.republish(manager, paymentId, (payment, now) =>
        isJudged ? applyVerdicts(payment, verdicts, this.policy, now) : payment,
      );
      if (isJudged) await this.senders.judged(manager, paymentId);
    });
  }
}

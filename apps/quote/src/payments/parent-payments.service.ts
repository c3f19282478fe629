import { requireRetryable } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ProjectionWaits } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { currentSenders, ProjectedPayment } from './projected-payment.entity.js';

/** Loads payments that a quote retries. */
@Injectable()
export class ParentPaymentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly waits: ProjectionWaits,
  ) {}

  /**
   * @throws ServiceError 404 for an unknown payment, 403 for another organisation's or a frozen one, 503 while its
   * senders are not known or too many are waited for
   */
  async get(caller: Caller, paymentId: string): Promise<ProjectedPayment> {
    const id = paymentId.toLowerCase();
    const payments = this.dataSource.getRepository(ProjectedPayment);
    const payment = await this.waits.forId(id, caller, () => payments.findOneBy({ id }));
    return requireRetryable(currentSenders(payment), caller.orgId);
  }
}

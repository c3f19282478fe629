import { forbidden, notFound } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { ProjectionWaits } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';

/** Loads payments of the caller's organisation. */
@Injectable()
export class PaymentAccessService {
  constructor(
    private readonly projections: ProjectionsRepository,
    private readonly waits: ProjectionWaits,
  ) {}

  /** @throws ServiceError 404 for an unknown payment, 403 for another organisation's, 503 while too many are waited for */
  async get(caller: Caller, paymentId: string): Promise<ProjectedPayment> {
    const id = paymentId.toLowerCase();
    const payment = await this.waits.forId(id, caller.orgId, () => this.projections.payment(id));
    if (payment === null) throw notFound('Payment not found.');
    if (payment.orgId !== caller.orgId) {
      throw forbidden('The payment belongs to another organisation.');
    }
    return payment;
  }

  /** Loads a payment whose money may be moved through the service. */
  async getMovable(caller: Caller, paymentId: string): Promise<ProjectedPayment> {
    const payment = await this.get(caller, paymentId);
    if (payment.status === 'TAINTED') {
      throw forbidden('The payment is frozen. It cannot be withdrawn through the service.');
    }
    return payment;
  }
}

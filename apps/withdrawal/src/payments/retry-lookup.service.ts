import type { Caller } from '@bascule/identity';
import { ProjectionWaits } from '@bascule/service-host';
import { Inject, Injectable } from '@nestjs/common';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';

/** Finds the payment that a withdrawal funds as its retry. */
@Injectable()
export class RetryLookupService {
  constructor(
    @Inject(ProjectionsRepository)
    private readonly projections: Pick<ProjectionsRepository, 'paymentOfWallet'>,
    private readonly waits: ProjectionWaits,
  ) {}

  /**
   * Waits briefly for the payment of an unknown recipient: a retry may have been confirmed a moment ago, and the full fee
   * would leave its deposit short. Withdrawals to addresses that are no payment's always wait in vain.
   * @throws ServiceError 503 while too many are waited for
   */
  async find(
    caller: Caller,
    recipient: string,
    parent: ProjectedPayment,
  ): Promise<ProjectedPayment | null> {
    const address = recipient.toLowerCase();
    if (address === parent.ownerAddress.toLowerCase()) return null;
    const payment = await this.waits.forArrival(caller, () =>
      this.projections.paymentOfWallet(address),
    );
    return payment?.parentPaymentId === parent.id ? payment : null;
  }
}

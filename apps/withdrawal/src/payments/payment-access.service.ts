import { forbidden, isFrozen, notFound, unavailable } from '@bascule/contracts';
import type { ServiceError } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Screening } from '@bascule/screening';
import { ProjectionWaits } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';

/** Whether a payment's money may be moved: `frozen` for ever, `waiting` for verdicts about the senders of its deposits. */
export type Movability = 'movable' | 'frozen' | 'waiting';

/** Why a withdrawal of a frozen payment fails. */
export const FROZEN_REASON = 'the payment is frozen.';

export const paymentFrozen = (): ServiceError =>
  forbidden('The payment is frozen. It cannot be withdrawn through the service.');

const sendersUnchecked = (): ServiceError =>
  unavailable("The senders of the payment's deposits are not checked yet. Try again.");

/** Loads payments of the caller's organisation. */
@Injectable()
export class PaymentAccessService {
  constructor(
    private readonly projections: ProjectionsRepository,
    private readonly waits: ProjectionWaits,
    private readonly screening: Screening,
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

  /**
   * Loads a payment whose money may be moved through the service. Waits at most 2 s for verdicts about senders.
   * @throws ServiceError 403 for a frozen payment, 503 while senders have no verdict
   */
  async getMovable(caller: Caller, paymentId: string): Promise<ProjectedPayment> {
    const { id } = await this.get(caller, paymentId);
    const payment = await this.waits.forArrival(async () => {
      const current = await this.projections.payment(id);
      return this.movabilityOf(current) === 'waiting' ? null : current;
    });
    if (payment === null) throw sendersUnchecked();
    if (this.movabilityOf(payment) === 'frozen') throw paymentFrozen();
    return payment;
  }

  /** Keeps the answer true until the transaction ends. */
  async movability(manager: EntityManager, paymentId: string): Promise<Movability> {
    return this.movabilityOf(await this.projections.lockPayment(manager, paymentId));
  }

  /**
   * Keeps the payment movable until the transaction ends.
   * @throws ServiceError 403 for a frozen payment, 503 while senders have no verdict
   */
  async requireMovable(manager: EntityManager, paymentId: string): Promise<void> {
    const movability = await this.movability(manager, paymentId);
    if (movability === 'frozen') throw paymentFrozen();
    if (movability === 'waiting') throw sendersUnchecked();
  }

  /** A payment that is being projected again is waited for. */
  private movabilityOf(payment: ProjectedPayment | null): Movability {
    if (payment === null) return 'waiting';
    if (isFrozen(payment)) return 'frozen';
    return this.screening.isEnabled && payment.senders === 'WAITING' ? 'waiting' : 'movable';
  }
}

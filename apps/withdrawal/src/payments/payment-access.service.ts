import { forbidden, isFrozen, isFrozenFor, notFound, unavailable } from '@bascule/contracts';
import type { ServiceError, TokenAmount } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Screening } from '@bascule/screening';
import { ProjectionWaits } from '@bascule/service-host';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ProjectedPayment } from '../persistence/projected-payment.entity.js';
import { ProjectionsRepository } from '../persistence/projections.repository.js';

/** Tokens that a withdrawal takes from a payment. */
interface MovedMoney {
  readonly paymentId: string;
  readonly tokenAmounts: readonly TokenAmount[];
}

/** Whether tokens of a payment may be moved: `frozen` for ever, `waiting` for verdicts about the senders of its deposits. */
export type Movability = 'movable' | 'frozen' | 'waiting';

/** Why a withdrawal of a frozen payment or token fails. */
export const FROZEN_REASON = 'the payment is frozen.';

export const paymentFrozen = (): ServiceError =>
  forbidden('The payment is frozen. It cannot be withdrawn through the service.');

const tokenFrozen = (): ServiceError =>
  forbidden('A token of the withdrawal is frozen. Withdraw the other tokens without it.');

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
    const payment = await this.waits.forId(id, caller, () => this.projections.payment(id));
    if (payment === null) throw notFound('Payment not found.');
    if (payment.orgId !== caller.orgId) {
      throw forbidden('The payment belongs to another organisation.');
    }
    return payment;
  }

  /**
   * Loads a payment whose tokens may be moved through the service. Waits at most 2 s for verdicts about senders.
   * @throws ServiceError 403 for a frozen payment or token, 503 while senders have no verdict or too many are waited for
   */
  async getMovable(
    caller: Caller,
    { paymentId, tokenAmounts }: MovedMoney,
  ): Promise<ProjectedPayment> {
    const { id } = await this.get(caller, paymentId);
    const payment = await this.waits.forArrival(caller, async () => {
      const current = await this.projections.payment(id);
      return this.movabilityOf(current, tokenAmounts) === 'waiting' ? null : current;
    });
    return this.movable(payment, tokenAmounts);
  }

  /** Keeps the answer true until the transaction ends. */
  async movability(
    manager: EntityManager,
    { paymentId, tokenAmounts }: MovedMoney,
  ): Promise<Movability> {
    return this.movabilityOf(await this.projections.lockPayment(manager, paymentId), tokenAmounts);
  }

  /**
   * Keeps the tokens movable until the transaction ends.
   * @throws ServiceError 403 for a frozen payment or token, 503 while senders have no verdict
   */
  async requireMovable(
    manager: EntityManager,
    { paymentId, tokenAmounts }: MovedMoney,
  ): Promise<void> {
    this.movable(await this.projections.lockPayment(manager, paymentId), tokenAmounts);
  }

  /** @throws ServiceError */
  private movable(
    payment: ProjectedPayment | null,
    amounts: MovedMoney['tokenAmounts'],
  ): ProjectedPayment {
    const movability = this.movabilityOf(payment, amounts);
    if (payment === null || movability === 'waiting') throw sendersUnchecked();
    if (movability === 'frozen') throw isFrozen(payment) ? paymentFrozen() : tokenFrozen();
    return payment;
  }

  /** A payment that is being projected again is waited for, and so are senders that no event tells yet. */
  private movabilityOf(
    payment: ProjectedPayment | null,
    amounts: MovedMoney['tokenAmounts'],
  ): Movability {
    if (payment === null) return 'waiting';
    const tokens = amounts.map(({ token }) => token);
    if (isFrozenFor(payment, tokens)) return 'frozen';
    return this.screening.isEnabled && payment.senders !== 'CLEAR' ? 'waiting' : 'movable';
  }
}

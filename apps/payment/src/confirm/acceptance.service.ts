import { conflict, invalidField } from '@bascule/contracts';
import type {
  Payment,
  PaymentPlan,
  Quote,
  ServiceError,
  VerificationReason,
} from '@bascule/contracts';
import type { AnswerSlot } from '@bascule/idempotency';
import { visitorOf } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { currentTraceparent, faultPoint, ServiceContext } from '@bascule/process';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { newPayment } from '../life-cycle/payment-record.js';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { PausesService } from '../pauses/pauses.service.js';
import { PaymentAcceptanceRepository } from '../persistence/payment-acceptance.repository.js';
import { PaymentMetricsService } from '../persistence/payment-metrics.service.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { UnfundedQuotaRepository } from '../persistence/unfunded-quota.repository.js';
import { PaymentPresenterService } from '../reading/payment-presenter.service.js';
import { ConfirmScreeningService } from '../screening/confirm-screening.service.js';
import { PayoutCheckService } from './payout-check.service.js';
import type { TokenField } from './token-reader.service.js';

const alreadyConfirmed = (): ServiceError => conflict('The payment has already been confirmed.');

/** Stores a payment by one statement, once. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly quota: UnfundedQuotaRepository,
    private readonly screening: ConfirmScreeningService,
    private readonly pauses: PausesService,
    private readonly payouts: PayoutCheckService,
    private readonly acceptance: PaymentAcceptanceRepository,
    private readonly reader: PaymentReaderRepository,
    private readonly presenter: PaymentPresenterService,
    private readonly metrics: PaymentMetricsService,
    private readonly context: ServiceContext,
  ) {}

  /**
   * Call it after {@link refuseConfirmed}, which spares a confirmed payment the simulation.
   * @param verified signatures that the owner gave for it
   * @throws ServiceError: 400 for a sanctioned address or where its last leg would revert, 409 for a payment that was
   * confirmed meanwhile, 429 where the organisation or the visitor has used up its quota
   */
  async accept(
    terms: PaymentTerms,
    caller: Caller,
    verified: readonly VerificationReason[],
    slot?: AnswerSlot,
  ): Promise<Payment> {
    const payment = newPayment(terms, uuidv7, currentTraceparent());
    const visitor = visitorOf(caller);
    const answer = await this.unlessConfirmed(terms.id, async () => {
      await this.quota.check({ orgId: terms.orgId, visitor });
      await this.screening.requireClear(terms);
      await this.payouts.check(terms);
      const presented = await this.presenter.present(payment, terms.createdAt, {
        enableWithdrawPending: false,
      });
      // The checks before take time, in which an operator may have paused it.
      await this.refusePaused(terms.plan, caller);
      const stored = { visitor, verified, answer: await slot?.seal(presented) };
      return (await this.acceptance.accept(payment, stored)) ? presented : null;
    });
    if (answer === null) throw alreadyConfirmed();
    faultPoint('payment.confirmed');
    this.metrics.changed(null, payment);
    this.context.logger.info({ payment_id: payment.id }, 'payment confirmed');
    return answer;
  }

  /**
   * Checks what a request for the owner's signatures depends on.
   * @throws ServiceError: 400 for a sanctioned address, 429 where the organisation or the visitor has used up its quota
   */
  async requireAskable(terms: PaymentTerms, caller: Caller): Promise<void> {
    await this.quota.check({ orgId: terms.orgId, visitor: visitorOf(caller) });
    await this.screening.requireClear(terms);
  }

  /** @throws ServiceError: 503, 403 or 400 where an operator's switch refuses it, 409 for a confirmed payment */
  requireUnpaused(
    { quote, plan }: { quote: Pick<Quote, 'payment_id'>; plan: PaymentPlan },
    caller: Caller,
  ): Promise<void> {
    return this.unlessConfirmed(quote.payment_id, () => this.refusePaused(plan, caller));
  }

  private async refusePaused(plan: PaymentPlan, caller: Caller): Promise<void> {
    const refusal = await this.pauses.refusalOf(plan, caller);
    if (refusal !== null) throw refusal;
  }

  /** Answers 409 in place of a refusal by chain, source or quota where the payment was confirmed meanwhile. */
  private async unlessConfirmed<T>(paymentId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      await this.refuseConfirmed(paymentId);
      throw error;
    }
  }

  /** @throws ServiceError 409 for a payment that is confirmed already */
  async refuseConfirmed(paymentId: string): Promise<void> {
    if ((await this.reader.find(paymentId)) !== null) throw alreadyConfirmed();
  }

  /** @throws ServiceError: 409 for a payment that was confirmed in time, else 400 */
  async refuseLate(paymentId: string, field: TokenField): Promise<never> {
    await this.refuseConfirmed(paymentId);
    throw invalidField([field], 'The quote has expired. Request a new one.');
  }
}

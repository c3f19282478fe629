import { invalidField } from '@bascule/contracts';
import type { Payment } from '@bascule/contracts';
import { SealedTokenError, SealedTokens } from '@bascule/sealed-tokens';
import { Inject, Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { newPayment } from '../life-cycle/payment-record.js';
import type { PaymentTerms } from '../life-cycle/payment-record.js';
import { paymentView } from '../view/payment-view.js';
import { VerificationPayloadsService } from './verification-payloads.service.js';
import type { VerificationRequest } from './verification-request.js';

/** Asks the owner for signatures; stores nothing, so that an abandoned payment leaves nothing behind. */
@Injectable()
export class VerificationRoundsService {
  constructor(
    private readonly tokens: SealedTokens,
    private readonly payloads: VerificationPayloadsService,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  /** Returns the unconfirmed payment with everything that its owner has not signed yet. */
  async ask(request: VerificationRequest, terms: PaymentTerms): Promise<Payment> {
    const { required, passed } = request;
    const outstanding = required.filter((reason) => !passed.includes(reason));
    const view = paymentView(newPayment(terms, uuidv7), {
      policyOn: () => this.config.policy,
      now: terms.createdAt,
      enableWithdrawPending: false,
    });
    return {
      ...view,
      status: 'UNCONFIRMED',
      next_instruction: {
        type: 'USER_VERIFY',
        verification_token: await this.seal(request),
        verifications: this.payloads.of(request, outstanding),
      },
    };
  }

  private async seal(request: VerificationRequest): Promise<string> {
    const acceptBy = new Date(request.confirmation.state.accept_by);
    try {
      return await this.tokens.seal('verification', request, acceptBy);
    } catch (error) {
      if (!(error instanceof SealedTokenError)) throw error;
      const message =
        'The quote is too large for a payment that its owner signs; shorten its texts.';
      throw invalidField(['state_token'], message);
    }
  }
}

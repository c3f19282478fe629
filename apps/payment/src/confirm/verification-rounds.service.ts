import type { Payment } from '@bascule/contracts';
import { SealedTokens } from '@bascule/sealed-tokens';
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
    const { required, passed, confirmation } = request;
    const outstanding = required.filter((reason) => !passed.includes(reason));
    const view = paymentView(newPayment(terms, uuidv7), {
      policy: this.config.policy,
      now: terms.createdAt,
      enableWithdrawPending: false,
    });
    return {
      ...view,
      status: 'UNCONFIRMED',
      // Deposits are found only once the payment is confirmed.
      processing_addresses: [],
      next_instruction: {
        type: 'USER_VERIFY',
        verification_token: await this.tokens.seal(
          'verification',
          request,
          new Date(confirmation.state.accept_by),
        ),
        verifications: this.payloads.of(request, outstanding),
      },
    };
  }
}

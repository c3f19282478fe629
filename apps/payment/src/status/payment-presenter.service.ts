import type { Payment } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PAYMENT_CONFIG } from '../payment.config.js';
import type { PaymentConfig } from '../payment.config.js';
import { fundingPageUrl } from './funding-page-url.js';
import { FundingTokens } from './funding-tokens.service.js';
import { nextInstruction, paymentView } from './payment-view.js';

/** The payment as the API answers it. */
@Injectable()
export class PaymentPresenter {
  constructor(
    private readonly tokens: FundingTokens,
    @Inject(PAYMENT_CONFIG) private readonly config: PaymentConfig,
  ) {}

  async present(
    payment: PaymentRecord,
    now: Date,
    options: { enableWithdrawPending: boolean },
  ): Promise<Payment> {
    const view = paymentView(payment, { policy: this.config.policy, now, ...options });
    const instruction = nextInstruction(payment, now);
    if (instruction === undefined) return view;
    const token = await this.tokens.of(payment);
    const funding_page_url = fundingPageUrl(this.config.fundingPageBase, payment.id, token);
    return { ...view, next_instruction: { ...instruction, funding_page_url } };
  }
}

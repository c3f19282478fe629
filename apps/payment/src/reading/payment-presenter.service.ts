import type { Payment } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { PAYMENT_CONFIG } from '../config/payment.config.js';
import type { PaymentConfig } from '../config/payment.config.js';
import { FundingTokensService } from './funding-tokens.service.js';
import { nextInstruction, paymentView } from '../view/payment-view.js';

/** Builds the API's answer about a payment. */
@Injectable()
export class PaymentPresenterService {
  constructor(
    private readonly tokens: FundingTokensService,
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

const fundingPageUrl = (base: string, paymentId: string, token: string): string =>
  `${base.replace(/\/+$/, '')}/funding/${paymentId}?token=${token}`;

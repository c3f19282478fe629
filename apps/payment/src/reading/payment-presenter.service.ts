import type { Payment } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import type { PaymentRecord } from '../life-cycle/payment-record.js';
import { DustService } from '../costs/dust.service.js';
import { PaymentLinksService } from './payment-links.service.js';
import { nextInstruction, paymentView } from '../view/payment-view.js';

/** Builds the API's answer about a payment. */
@Injectable()
export class PaymentPresenterService {
  constructor(
    private readonly links: PaymentLinksService,
    private readonly dust: DustService,
  ) {}

  async present(
    payment: PaymentRecord,
    now: Date,
    options: { enableWithdrawPending: boolean },
  ): Promise<Payment> {
    const view = paymentView(payment, { policyOn: this.dust.known, now, ...options });
    const instruction = nextInstruction(payment, now);
    if (instruction === undefined) return view;
    const funding_page_url = await this.links.fundingUrl(payment);
    return { ...view, next_instruction: { ...instruction, funding_page_url } };
  }
}

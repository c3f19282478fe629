import { notFound, requireRetryable } from '@bascule/contracts';
import type { PaymentPlan, Quote, QuoteState } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { Injectable } from '@nestjs/common';
import { reportedStatus } from '../life-cycle/transitions.js';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { AcceptanceService } from './acceptance.service.js';
import type { ConfirmPaymentDto } from './confirm-payment.dto.js';
import type { QuotedFacts } from './payment-terms.js';
import { requireOwnQuote } from './quote-origin.js';
import { TokenReaderService } from './token-reader.service.js';

export interface ChosenQuote {
  state: QuotedFacts;
  quote: Quote;
  plan: PaymentPlan;
}

/** Opens the state token, and finds the quote that the client confirms. */
@Injectable()
export class QuoteChoiceService {
  constructor(
    private readonly tokens: TokenReaderService,
    private readonly reader: PaymentReaderRepository,
    private readonly acceptance: AcceptanceService,
  ) {}

  /** @throws ServiceError */
  async choose(
    { payment_id, state_token }: ConfirmPaymentDto,
    caller: Caller,
    now: Date,
  ): Promise<ChosenQuote> {
    const { content, isExpired } = await this.tokens.open<QuoteState>(
      'state_token',
      state_token,
      now,
    );
    const { quotes, ...state } = content;
    requireOwnQuote(state, caller, ['state_token', 'quote']);
    const id = payment_id.toLowerCase();
    const chosen = quotes.find(({ quote }) => quote.payment_id === id);
    if (chosen === undefined) throw notFound('Payment not found in the state token.');
    if (isExpired || new Date(state.accept_by) <= now) {
      await this.acceptance.refuseLate(id, 'state_token');
    }
    await this.checkParent(state);
    return { state, ...chosen };
  }

  private async checkParent({ quote_request, org_id }: QuotedFacts): Promise<void> {
    const { parent_payment_id } = quote_request;
    if (parent_payment_id === undefined) return;
    const parent = await this.reader.find(parent_payment_id.toLowerCase());
    const retried = parent && {
      ...parent.payment,
      status: reportedStatus(parent.payment, false),
    };
    requireRetryable(retried, org_id);
  }
}

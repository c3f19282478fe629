import { notFound } from '@bascule/contracts';
import { AllowCallers, CurrentCaller } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { OrganisationRepository } from '../projections/organisation.repository.js';
import { customerReturn } from './customer-return.js';
import { checkLink, LinkedPaymentDto } from './linked-payment.dto.js';
import { RETURN_PAGE_HEADERS, returnPage } from './return-page.js';

/** Receives customers whom a provider sends back after its checkout. */
@Controller('funding')
export class ReturnController {
  constructor(
    private readonly payments: PaymentReaderRepository,
    private readonly organisations: OrganisationRepository,
  ) {}

  /** Answers 303 to the organisation's page, or a page with the payment's status. */
  @Get(':payment_id/return')
  @AllowCallers('return')
  async return(
    @Param() link: LinkedPaymentDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string | undefined> {
    checkLink(link, caller);
    const { payment_id } = link;
    const found = await this.payments.find(payment_id);
    if (found === null) throw notFound('Payment not found.');
    const origins = await this.organisations.redirectOriginsOf(found.payment.orgId);
    const next = customerReturn(found.payment, origins);
    if (next === null) throw notFound('The payment has no page to return to.');
    if (next.kind !== 'redirect') {
      void reply.headers(RETURN_PAGE_HEADERS);
      return returnPage(next);
    }
    void reply.code(303).header('location', next.url).header('cache-control', 'no-store');
    return undefined;
  }
}

import type { DepositInstructions } from '@bascule/contracts';
import { AllowCallers, CurrentCaller } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CheckoutService } from './checkout.service.js';
import { checkLink, LinkedPaymentDto } from './linked-payment.dto.js';

@Controller('funding')
export class CheckoutController {
  constructor(private readonly checkouts: CheckoutService) {}

  /** Answers 303 to the provider's page, or deposit instructions. */
  @Get(':payment_id')
  @AllowCallers('funding')
  async fund(
    @Param() link: LinkedPaymentDto,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DepositInstructions | undefined> {
    checkLink(link, caller);
    const { payment_id } = link;
    const funding = await this.checkouts.fund(payment_id, caller.clientIp);
    if (funding.kind === 'token') {
      return {
        payment_id,
        initiate_fund_by: funding.initiateFundBy.toISOString(),
        deposit_info: [funding.deposit],
      };
    }
    void reply.code(303).header('location', funding.url).header('cache-control', 'no-store');
    return undefined;
  }
}

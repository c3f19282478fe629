import type { Payment } from '@bascule/contracts';
import { IdempotencyKey, IdempotencyService } from '@bascule/idempotency';
import type { IdempotentRequest } from '@bascule/idempotency';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { visibleTo } from '../reading/visible-payment.js';
import { ConfirmRequestReaderService } from './confirm-request-reader.service.js';
import { ConfirmService } from './confirm.service.js';
import { ContinuationService } from './continuation.service.js';
import { ContinueConfirmationDto } from './continue-confirmation.dto.js';

@Controller('payments')
export class ConfirmController {
  constructor(
    private readonly reader: ConfirmRequestReaderService,
    private readonly confirming: ConfirmService,
    private readonly continuing: ContinuationService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post('confirm')
  @HttpCode(200)
  @RequirePermission('payments:write')
  async confirm(
    @Body() body: unknown,
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() key: IdempotentRequest | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Payment> {
    const payment = await this.idempotency.answer(key, reply, {
      effect: async (slot) => {
        const request = await this.reader.read(body, caller);
        return request instanceof ContinueConfirmationDto
          ? this.continuing.continue(request, caller, slot)
          : this.confirming.confirm(request, caller, slot);
      },
    });
    return visibleTo(caller, payment);
  }
}

import type { WithdrawalStatusResponse } from '@bascule/contracts';
import { IdempotencyKey, IdempotencyService } from '@bascule/idempotency';
import type { IdempotentRequest } from '@bascule/idempotency';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ConfirmDto, MAX_POLLING_MS } from './confirm.dto.js';
import { ConfirmService } from './confirm.service.js';
import { confirmationOf } from './confirmation.js';

@Controller('payments/withdraw/confirm')
export class ConfirmController {
  constructor(
    private readonly confirms: ConfirmService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('payments:write')
  async confirm(
    @CurrentCaller() caller: Caller,
    @Body() body: ConfirmDto,
    @IdempotencyKey() key: IdempotentRequest | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithdrawalStatusResponse> {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      gone.abort();
    });
    const limits = { ms: body.polling_timeout ?? MAX_POLLING_MS, clientGone: gone.signal };
    const work = this.confirms.confirmation(caller, confirmationOf(body), limits);
    return this.idempotency.answer(key, reply, work);
  }
}

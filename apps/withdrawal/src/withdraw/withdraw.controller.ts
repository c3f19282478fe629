import type { WithdrawResponse } from '@bascule/contracts';
import { IdempotencyKey, IdempotencyService } from '@bascule/idempotency';
import type { IdempotentRequest } from '@bascule/idempotency';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { WithdrawDto } from './withdraw.dto.js';
import { WithdrawService } from './withdraw.service.js';

@Controller('payments/withdraw')
export class WithdrawController {
  constructor(
    private readonly withdrawals: WithdrawService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('payments:write')
  request(
    @CurrentCaller() caller: Caller,
    @Body() body: WithdrawDto,
    @IdempotencyKey() key: IdempotentRequest | null,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithdrawResponse> {
    return this.idempotency.answer(key, reply, {
      effect: (slot) => this.withdrawals.request(caller, body, slot),
    });
  }
}

import type { WithdrawalStatusResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ConfirmDto, MAX_POLLING_MS } from './confirm.dto.js';
import { ConfirmService } from './confirm.service.js';
import { confirmationOf } from './confirmation.js';

@Controller('payments/withdraw/confirm')
export class ConfirmController {
  constructor(private readonly confirms: ConfirmService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('payments:write')
  async confirm(
    @CurrentCaller() caller: Caller,
    @Body() body: ConfirmDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WithdrawalStatusResponse> {
    const gone = new AbortController();
    reply.raw.once('close', () => {
      gone.abort();
    });
    return this.confirms.confirm(caller, confirmationOf(body), {
      ms: body.polling_timeout ?? MAX_POLLING_MS,
      clientGone: gone.signal,
    });
  }
}

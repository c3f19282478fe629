import type { WithdrawResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { WithdrawDto } from './withdraw.dto.js';
import { WithdrawService } from './withdraw.service.js';

@Controller('payments/withdraw')
export class WithdrawController {
  constructor(private readonly withdrawals: WithdrawService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('payments:write')
  request(@CurrentCaller() caller: Caller, @Body() body: WithdrawDto): Promise<WithdrawResponse> {
    return this.withdrawals.request(caller, body);
  }
}

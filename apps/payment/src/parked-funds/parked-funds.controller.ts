import type { ParkedFundsResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ParkedFundsDto } from './parked-funds.dto.js';
import { ParkedFundsService } from './parked-funds.service.js';

@Controller('payments/issues')
export class ParkedFundsController {
  constructor(private readonly parkedFunds: ParkedFundsService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('payments:read')
  async list(
    @CurrentCaller() caller: Caller,
    @Body() body: ParkedFundsDto,
  ): Promise<ParkedFundsResponse> {
    return this.parkedFunds.list(caller, body);
  }
}

import { invalidField } from '@bascule/contracts';
import type { BalancesResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { BalancesDto } from './balances.dto.js';
import { BalancesService } from './balances.service.js';

@Controller('payments/balances')
export class BalancesController {
  constructor(private readonly balances: BalancesService) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('balances')
  async ask(@CurrentCaller() caller: Caller, @Body() body: BalancesDto): Promise<BalancesResponse> {
    if (body.payment_id === undefined && (body.custom_queries ?? []).length === 0) {
      throw invalidField(['payment_id'], 'Required without custom_queries.');
    }
    return this.balances.list(caller, body);
  }
}

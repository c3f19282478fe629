import { forbidden, notFound } from '@bascule/contracts';
import type { WithdrawalStatusResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Controller, Get, Query } from '@nestjs/common';
import { WithdrawalRepository } from '../persistence/withdrawal.repository.js';
import { StatusQueryDto } from './status-query.dto.js';
import { statusResponse } from './status-response.js';

@Controller('payments/withdraw/status')
export class StatusController {
  constructor(private readonly withdrawals: WithdrawalRepository) {}

  @Get()
  @RequirePermission('payments:read')
  async status(
    @CurrentCaller() caller: Caller,
    @Query() { withdraw_id: id }: StatusQueryDto,
  ): Promise<WithdrawalStatusResponse> {
    const record = await this.withdrawals.find(id.toLowerCase());
    if (record === null) throw notFound('Withdrawal not found.');
    if (record.orgId !== caller.orgId) {
      throw forbidden('The withdrawal belongs to another organisation.');
    }
    return statusResponse(record);
  }
}

import type { Payment } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ConfirmRequestReaderService } from './confirm-request-reader.service.js';
import { ConfirmService } from './confirm.service.js';

@Controller('payments')
export class ConfirmController {
  constructor(
    private readonly reader: ConfirmRequestReaderService,
    private readonly confirming: ConfirmService,
  ) {}

  @Post('confirm')
  @HttpCode(200)
  @RequirePermission('payments:write')
  async confirm(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<Payment> {
    return this.confirming.confirm(await this.reader.read(body), caller);
  }
}

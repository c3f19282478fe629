import type { Payment } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
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
  ) {}

  @Post('confirm')
  @HttpCode(200)
  @RequirePermission('payments:write')
  async confirm(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<Payment> {
    const request = await this.reader.read(body);
    const payment =
      request instanceof ContinueConfirmationDto
        ? await this.continuing.continue(request, caller)
        : await this.confirming.confirm(request, caller);
    return visibleTo(caller, payment);
  }
}

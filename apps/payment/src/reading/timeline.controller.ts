import { forbidden, notFound } from '@bascule/contracts';
import type { PaymentTimeline } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, RequireSecretKey } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Controller, Get, Query } from '@nestjs/common';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { TimelineQueryDto } from './timeline-query.dto.js';
import { TimelineReaderService } from './timeline-reader.service.js';

@Controller('payments/timeline')
export class TimelineController {
  constructor(
    private readonly reader: PaymentReaderRepository,
    private readonly timelines: TimelineReaderService,
  ) {}

  @Get()
  @RequirePermission('payments:read')
  @RequireSecretKey()
  async find(
    @Query() { payment_id, limit, pagination_key }: TimelineQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<PaymentTimeline> {
    const found = await this.reader.find(payment_id);
    if (found === null) throw notFound('Payment not found.');
    if (found.payment.orgId !== caller.orgId) {
      throw forbidden('The payment belongs to another organisation.');
    }
    return this.timelines.page(found, { after: pagination_key, limit });
  }
}

import { forbidden, notFound } from '@bascule/contracts';
import type { Payment } from '@bascule/contracts';
import { CurrentCaller, RequirePermission } from '@bascule/identity';
import type { Caller } from '@bascule/identity';
import { Controller, Get, Query } from '@nestjs/common';
import { PaymentReaderRepository } from '../persistence/payment-reader.repository.js';
import { PaymentPresenterService } from './payment-presenter.service.js';
import { PaymentQueryDto } from './payment-query.dto.js';
import { PriceConversionService } from './price-conversion.service.js';
import { visibleTo } from './visible-payment.js';

@Controller('payments')
export class PaymentsController {
  constructor(
    private readonly reader: PaymentReaderRepository,
    private readonly presenter: PaymentPresenterService,
    private readonly conversion: PriceConversionService,
  ) {}

  @Get()
  @RequirePermission('payments:read')
  async find(
    @Query() { payment_id, enable_withdraw_pending, price_currency }: PaymentQueryDto,
    @CurrentCaller() caller: Caller,
  ): Promise<Payment> {
    const found = await this.reader.find(payment_id);
    if (found === null) throw notFound('Payment not found.');
    if (found.payment.orgId !== caller.orgId) {
      throw forbidden('The payment belongs to another organisation.');
    }
    const payment = await this.presenter.present(found.payment, found.now, {
      enableWithdrawPending: enable_withdraw_pending ?? false,
    });
    return visibleTo(caller, await this.conversion.convert(payment, price_currency));
  }
}

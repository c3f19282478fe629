import type { PricesResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import type { PricesRequestDto } from './prices-request.dto.js';
import { PricesRequestReaderService } from './prices-request-reader.service.js';
import { PricesService } from './prices.service.js';

@Controller('prices')
export class PricesController {
  constructor(
    private readonly reader: PricesRequestReaderService,
    private readonly prices: PricesService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('assets')
  async pricesOf(
    @Body() body: unknown,
    @CurrentCaller() { mode }: Caller,
  ): Promise<PricesResponse> {
    const { fiat, tokens }: PricesRequestDto = await this.reader.read(body, mode);
    return this.prices.table(fiat, tokens);
  }
}

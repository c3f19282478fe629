import type { QuotesResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { QuoteRequestReaderService } from './quote-request-reader.service.js';
import { QuotesService } from './quotes.service.js';

@Controller('payments/quotes')
export class QuotesController {
  constructor(
    private readonly reader: QuoteRequestReaderService,
    private readonly quotes: QuotesService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('quotes')
  async quote(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<QuotesResponse> {
    return this.quotes.quote(await this.reader.read(body), caller);
  }
}

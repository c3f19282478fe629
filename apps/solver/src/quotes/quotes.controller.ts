import { Public } from '@bascule/identity';
import { PartyApiErrorFilter } from '@bascule/party-api';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Inject,
  Post,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { AliveGuard } from '../api/alive.guard.js';
import { ApiKeyGuard } from '../api/api-key.guard.js';
import { readQuoteRequest } from './read-quote-request.js';
import type { Route } from '../assets/route.js';
import { ROUTES } from '../assets/route.js';
import { limitsBody } from './quote-limits.js';
import { QuoteService } from './quote.service.js';

@Public()
@UseGuards(AliveGuard, ApiKeyGuard)
@UseFilters(PartyApiErrorFilter)
@Controller('v1')
export class QuotesController {
  constructor(
    @Inject(ROUTES) private readonly carried: readonly Route[],
    private readonly quotes: QuoteService,
  ) {}

  @Get('routes')
  routes() {
    return {
      routes: this.carried.map((route) => ({
        origin_chain_id: route.originChainId,
        destination_chain_id: route.destinationChainId,
        input_token: route.inputToken,
        output_token: route.outputToken,
      })),
    };
  }

  @Post('quotes')
  @HttpCode(200)
  async quote(@Body() body: unknown) {
    const { outputAmount, fillSeconds, limits } = await this.quotes.quote(readQuoteRequest(body));
    return {
      output_amount: outputAmount.toString(),
      fill_seconds: fillSeconds,
      limits: limitsBody(limits),
    };
  }
}

import { Chains } from '@bascule/chain';
import { invalidRequest, type QuoteRequest, type QuotesResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { isCountry } from '@bascule/geolocation';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CatalogueCacheService } from '../catalogue/catalogue-cache.service.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from '../sources/source-registry.js';
import { QuoteRequestDto } from './quote-request.dto.js';
import { QuotesService } from './quotes.service.js';
import { requestProblems, unavailableForms } from './request-problems.js';

@Controller('payments/quotes')
export class QuotesController {
  constructor(
    private readonly requests: RequestReaderService,
    private readonly catalogue: CatalogueCacheService,
    private readonly chains: Chains,
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    private readonly quotes: QuotesService,
  ) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('quotes')
  async quote(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<QuotesResponse> {
    return this.quotes.quote(await this.read(body), caller);
  }

  private async read(body: unknown): Promise<QuoteRequest> {
    const unavailable = unavailableForms(body);
    if (unavailable.length > 0) throw invalidRequest(...unavailable);
    const { assets } = await this.catalogue.listedAssets();
    const providers = new Set(this.providers.keys());
    const chains = new Set(this.chains.all().map(({ name }) => name));
    const problems = requestProblems(body, { assets, providers, chains, isCountry });
    return this.requests.read('body', QuoteRequestDto, body, problems);
  }
}

import { Chains, ownContracts } from '@bascule/chain';
import type { QuoteRequest, QuotesResponse } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { isCountry } from '@bascule/geolocation';
import { Body, Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { CatalogueCacheService } from '../catalogue/catalogue-cache.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { ParentPaymentsService } from '../payments/parent-payments.service.js';
import { RequestReaderService } from '../requests/request-reader.service.js';
import { KeyScopesService } from '../sources/key-scopes.service.js';
import { checksummedRequest } from './checksummed-request.js';
import { QuoteRequestDto } from './quote-request.dto.js';
import { QuotesService } from './quotes.service.js';
import { requestProblems, type Known } from './request-problems.js';
import { isRequote } from './requote-problems.js';
import { RequotesService } from './requotes.service.js';

@Controller('payments/quotes')
export class QuotesController {
  constructor(
    private readonly requests: RequestReaderService,
    private readonly catalogue: CatalogueCacheService,
    private readonly chains: Chains,
    private readonly keyScopes: KeyScopesService,
    private readonly quotes: QuotesService,
    private readonly requotes: RequotesService,
    private readonly parents: ParentPaymentsService,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {}

  @Post()
  @HttpCode(200)
  @RequirePermission('quotes')
  async quote(@Body() body: unknown, @CurrentCaller() caller: Caller): Promise<QuotesResponse> {
    return this.quotes.quote(checksummedRequest(await this.read(body, caller)), caller);
  }

  private actionRules(): Pick<Known, 'ownContracts' | 'maxActionGas'> {
    return {
      ownContracts: (name) => {
        const chain = this.chains.find(name);
        return chain ? ownContracts(chain.definition.contracts) : [];
      },
      maxActionGas: this.config.maxActionGas,
    };
  }

  private async read(body: unknown, caller: Caller): Promise<QuoteRequest> {
    const { mode } = caller;
    const listed = await this.catalogue.listedAssets();
    const assets = this.keyScopes.assetsOf(mode, listed.assets);
    const chains = this.keyScopes.chainsOf(mode);
    const hint = this.keyScopes.hintOf(mode);
    const known = { assets, chains, isCountry, mode, hint, ...this.actionRules() };
    if (isRequote(body)) return this.requotes.read(body, known, caller);
    const problems = requestProblems(body, known);
    const request = await this.requests.read('body', QuoteRequestDto, body, problems);
    const { parent_payment_id: parent } = request;
    if (parent !== undefined) await this.parents.get(caller, parent);
    return request;
  }
}

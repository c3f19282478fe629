import { formatAmount } from '@bascule/amounts';
import { Public } from '@bascule/identity';
import { PartyApiErrorFilter } from '@bascule/party-api';
import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  UseFilters,
  UseGuards,
} from '@nestjs/common';
import { PricingService } from '../pricing/pricing.service.js';
import { sealQuote } from '../pricing/quote-id.js';
import { ProviderRegistryService } from '../providers/provider-registry.service.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { readQuoteRequest } from '../wire/read-request.js';

@Public()
@UseGuards(ApiKeyGuard)
@UseFilters(PartyApiErrorFilter)
@Controller(':provider/v1')
export class QuotesController {
  constructor(
    private readonly providers: ProviderRegistryService,
    private readonly pricing: PricingService,
  ) {}

  @Get('coverage')
  coverage(@Param('provider') name: string) {
    const { offer } = this.providers.get(name);
    return {
      places: offer.places,
      fiats: offer.fiats.map((fiat) => ({
        code: fiat.code,
        payment_methods: fiat.methods.map(({ id, min, max, places }) => ({ id, min, max, places })),
      })),
      assets: this.pricing.tokensOf(offer).map(({ network, token }) => ({
        network,
        symbol: token.symbol,
        contract: token.contract,
        decimals: token.decimals,
      })),
    };
  }

  @Post('quotes')
  @HttpCode(200)
  async quote(@Param('provider') name: string, @Body() body: unknown) {
    const { offer, apiKey } = this.providers.get(name);
    const request = readQuoteRequest(body);
    const { price, token, method } = await this.pricing.price(offer, request);
    const expires = Date.now() + offer.quoteSeconds * 1_000;
    const asked = {
      fiat: request.fiat,
      fiat_amount: request.fiatAmount,
      payment_method: request.paymentMethod,
      network: request.network,
      contract: request.contract,
    };
    const id = sealQuote(
      {
        ...asked,
        crypto_amount: price.cryptoAmount.toString(),
        fee_total: price.fees.total,
        expires,
      },
      apiKey,
    );
    return {
      id,
      ...asked,
      crypto_amount: formatAmount(price.cryptoAmount, token.decimals),
      rate: price.rate,
      fees: price.fees,
      limits: { min: method.min, max: method.max },
      delivery_seconds: method.deliverySeconds,
      expires_at: new Date(expires).toISOString(),
    };
  }
}

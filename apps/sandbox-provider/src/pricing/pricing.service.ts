import { compareDecimals } from '@bascule/amounts';
import { Chains } from '@bascule/chain';
import { Injectable } from '@nestjs/common';
import { ApiError } from '../wire/api-error.js';
import type { RequestedQuote } from '../wire/read-request.js';
import { methodOffer } from '../offers/offer.js';
import type { FiatOffer, MethodOffer, Offer } from '../offers/offer.js';
import { SOLD_TOKENS, soldToken } from '../offers/sold-tokens.js';
import type { SoldToken } from '../offers/sold-tokens.js';
import { MarketClient } from './market.client.js';
import { priceOrder } from './price-order.js';
import type { OrderPrice } from './price-order.js';

export interface PricedOrder {
  price: OrderPrice;
  token: SoldToken;
  method: MethodOffer;
}

/** Coverage and prices of a provider. */
@Injectable()
export class PricingService {
  constructor(
    private readonly chains: Chains,
    private readonly market: MarketClient,
  ) {}

  tokensOf(offer: Offer): { network: string; token: SoldToken }[] {
    const sold = SOLD_TOKENS.filter((token) => offer.tokens.includes(token.symbol));
    return this.chains
      .all()
      .filter((chain) => chain.definition.contracts.priceFeeds !== undefined)
      .flatMap((chain) => sold.map((token) => ({ network: chain.name, token })));
  }

  async price(offer: Offer, request: RequestedQuote): Promise<PricedOrder> {
    const token = this.tokenOf(offer, request);
    const { fiat, method } = termsOf(offer, request);
    requireWithinLimits(request, method);
    const price = priceOrder(
      {
        fiat,
        method,
        spreadPercent: offer.spreadPercent,
        fiatAmount: request.fiatAmount,
        tokenDecimals: token.decimals,
      },
      await this.market.read(request.network, token),
    );
    if (price === null) {
      throw new ApiError('amount_too_low', 'The fees are higher than the amount.', method);
    }
    return { price, token, method };
  }

  private tokenOf(offer: Offer, { network, contract }: RequestedQuote): SoldToken {
    const wanted = soldToken(contract);
    const sold = this.tokensOf(offer).find(
      (item) => item.network === network && item.token === wanted,
    );
    if (sold === undefined) throw new ApiError('unsupported_asset', 'The token is not sold.');
    return sold.token;
  }
}

function termsOf(offer: Offer, request: RequestedQuote): { fiat: FiatOffer; method: MethodOffer } {
  const terms = methodOffer(offer, request.fiat, request.paymentMethod);
  if (terms === undefined) {
    throw new ApiError('unsupported_fiat', `Fiat currency ${request.fiat} is not supported.`);
  }
  const { fiat, method } = terms;
  if (method === undefined) {
    throw new ApiError(
      'unsupported_payment_method',
      `Payment method ${request.paymentMethod} is not supported for ${request.fiat}.`,
    );
  }
  return { fiat, method };
}

function requireWithinLimits({ fiat, fiatAmount }: RequestedQuote, method: MethodOffer): void {
  if (compareDecimals(fiatAmount, method.min) < 0) {
    throw new ApiError(
      'amount_too_low',
      `The amount must be at least ${method.min} ${fiat}.`,
      method,
    );
  }
  if (compareDecimals(fiatAmount, method.max) > 0) {
    throw new ApiError(
      'amount_too_high',
      `The amount must be at most ${method.max} ${fiat}.`,
      method,
    );
  }
}

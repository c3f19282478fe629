import { formatAmount } from '@bascule/amounts';
import type { Geolocation } from '@bascule/contracts';
import type { OnrampCustomer } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import type { Amount } from '../../routes/fee-breakdown.js';
import { placeIssue } from '../../places/places.js';
import type { QuotedOnramp, TokenAmount } from '../../routes/quoted-route.js';
import { BEST_ONRAMP_RATE, tooGoodToBeTrue } from '../plausible-delivery.js';
import type { PriceBook } from '../../routes/price-book.js';
import { QuoteMetricsService } from '../../metrics/quote-metrics.service.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../../config/quote-config.js';
import { withTimeout } from '@bascule/process';
import { RouteFailure } from '../../routes/route-failure.js';
import type { Ramp } from '../../routes/route.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from './onramp-providers.js';
import { toRouteFailure } from './provider-failure.js';
import { limitIssue } from './ramp-limits.js';

export interface Purchase {
  onramp: QuotedOnramp;
  deposit: TokenAmount;
}

/** Asks a provider what it would deliver. */
@Injectable()
export class OnrampQuoterService {
  constructor(
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly metrics: QuoteMetricsService,
  ) {}

  /** @throws RouteFailure, MissingPriceError */
  async buy(o: {
    ramp: Ramp;
    tokenDecimals: number;
    input: Amount;
    customer: OnrampCustomer;
    places: readonly Geolocation[];
    prices: PriceBook;
  }): Promise<Purchase> {
    const { ramp, input, tokenDecimals } = o;
    const outside = placeIssue(ramp, o.places) ?? limitIssue(ramp, input);
    if (outside) throw new RouteFailure([ramp.provider], [outside]);
    const quote = await this.ask(o);
    const deposit = { asset: ramp.token, decimals: tokenDecimals, units: quote.deliveryAmount };
    const implausible = tooGoodToBeTrue({
      by: ramp.provider,
      paid: input,
      delivered: deposit,
      bestRate: BEST_ONRAMP_RATE,
      prices: o.prices,
    });
    if (implausible) throw new RouteFailure([ramp.provider], [implausible]);
    const { provider, method } = ramp;
    const { providerQuoteId, latencySeconds } = quote;
    return { onramp: { provider, method, providerQuoteId, latencySeconds }, deposit };
  }

  private async ask(o: {
    ramp: Ramp;
    tokenDecimals: number;
    input: Amount;
    customer: OnrampCustomer;
  }) {
    const { provider: name, method, token, fiat } = o.ramp;
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`the provider ${name} is not configured`);
    try {
      return await this.metrics.timed(name, 'quote', () =>
        withTimeout(this.config.providerTimeoutMs, (signal) =>
          provider.quote(
            {
              fiat,
              fiatAmount: formatAmount(o.input.units, o.input.decimals),
              token,
              tokenDecimals: o.tokenDecimals,
              method,
              customer: o.customer,
            },
            signal,
          ),
        ),
      );
    } catch (error) {
      throw toRouteFailure(name, error);
    }
  }
}

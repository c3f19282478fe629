import { formatAmount } from '@bascule/amounts';
import { withTimeout } from '@bascule/process';
import type { OnrampCustomer } from '@bascule/providers';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { QuoteMetricsService } from '../metrics/quote-metrics.service.js';
import { placeIssue } from '../places/places.js';
import type { GivenAmount } from '../routes/amount-issue.js';
import type { QuotedOnramp, TokenAmount } from '../routes/quoted-route.js';
import type { RequestContext } from '../routes/quoting-context.js';
import type { SourceCaches } from '../routes/request-cache.js';
import { RouteFailure } from '../routes/route-failure.js';
import type { Ramp } from '../routes/route.js';
import { MAX_ONRAMP_RATE, onrampLatencyIssue, overvaluedDeliveryIssue } from './price-checks.js';
import { onrampFailure, rampLimitIssue, refusedByOnramp } from './source-failure.js';
import { ONRAMP_PROVIDERS, type OnrampProviders } from './source-registry.js';

export interface OnrampQuote {
  onramp: QuotedOnramp;
  deposit: TokenAmount;
}

interface QuoteRequest {
  ramp: Ramp;
  tokenDecimals: number;
  input: GivenAmount;
  customer: OnrampCustomer;
  caches: SourceCaches;
}

/** Quotes the delivery of an onramp. */
@Injectable()
export class OnrampQuoterService {
  constructor(
    @Inject(ONRAMP_PROVIDERS) private readonly providers: OnrampProviders,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
    private readonly metrics: QuoteMetricsService,
  ) {}

  /** @throws RouteFailure, MissingPriceError */
  async quote(
    o: QuoteRequest & Pick<RequestContext, 'countryRules' | 'places' | 'prices'>,
  ): Promise<OnrampQuote> {
    const { ramp, input, tokenDecimals, prices } = o;
    const { provider, method } = ramp;
    const refusal = placeIssue(ramp, o.places, o.countryRules) ?? rampLimitIssue(ramp, input);
    if (refusal) throw new RouteFailure([provider], [refusal]);
    const { deliveryAmount, providerQuoteId, latencySeconds } = await this.request(o);
    const deposit = { asset: ramp.token, decimals: tokenDecimals, units: deliveryAmount };
    const implausible =
      onrampLatencyIssue(provider, latencySeconds) ??
      overvaluedDeliveryIssue({
        source: provider,
        paid: input,
        delivered: deposit,
        maxRate: MAX_ONRAMP_RATE,
        prices,
      });
    if (implausible) throw new RouteFailure([provider], [implausible]);
    return { onramp: { provider, method, providerQuoteId, latencySeconds }, deposit };
  }

  private async request({ ramp, tokenDecimals, input, customer, caches }: QuoteRequest) {
    const { provider: name, method, token, fiat } = ramp;
    const provider = this.providers.get(name);
    if (!provider) throw new Error(`the provider ${name} is not configured`);
    const fiatAmount = formatAmount(input.units, input.decimals);
    try {
      return await caches.onramps.get([name, method, fiat, token, fiatAmount], () =>
        this.metrics.timeRequest(name, 'quote', () =>
          withTimeout(this.config.providerTimeoutMs, (signal) =>
            provider.quote({ fiat, fiatAmount, token, tokenDecimals, method, customer }, signal),
          ),
        ),
      );
    } catch (error) {
      throw refusedByOnramp(onrampFailure(name, error), input);
    }
  }
}

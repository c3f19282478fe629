import type { Observation, PricedAssets, PriceSource, SourceQuote } from '../price-source.js';
import type { EcbRates } from './ecb.adapter.js';
import type { FiatRates } from './fiat-rates.js';

const CONFIGURED = 'fiat:configured';
const ECB = 'fiat:ecb';

/** Exchange rates: what the operator configures, always current as far as anyone knows, before what a central bank publishes. */
export class ExchangeRates implements PriceSource {
  readonly name = 'fiat';

  constructor(
    private readonly configured: FiatRates,
    private readonly ecb: EcbRates | undefined,
  ) {}

  get isCircuitOpen(): boolean {
    return this.ecb?.isCircuitOpen ?? false;
  }

  async observe(now: Date, { fiats }: PricedAssets): Promise<Observation> {
    const { rates, troubles } = (await this.ecb?.read(now)) ?? { rates: null, troubles: [] };
    const quotes = fiats.flatMap((asset): SourceQuote[] => {
      const configured = this.configured.get(asset);
      if (configured)
        return [{ asset, usd: configured, source: CONFIGURED, asOf: now, saidAt: now }];
      const published = rates?.usd.get(asset);
      return rates && published
        ? [{ asset, usd: published, source: ECB, asOf: rates.asOf, saidAt: now }]
        : [];
    });
    return { quotes, troubles };
  }
}

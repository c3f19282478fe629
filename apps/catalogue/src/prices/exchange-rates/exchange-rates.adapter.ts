import type { Observation, PricedAssets, PriceSource, SourceQuote } from '../price-source.js';
import type { EcbRates } from './ecb.adapter.js';
import type { FiatRates } from './fiat-rates.js';
import type { MarketExchangeRates } from './market-rates.adapter.js';

const CONFIGURED = 'fiat:configured';
const ECB = 'fiat:ecb';
const MARKET = 'fiat:market';

const NOTHING = { rates: null, troubles: [] };

/** Exchange rates: what the operator configures, always current as far as anyone knows, before what a central bank publishes, before what a market-data API says. */
export class ExchangeRates implements PriceSource {
  readonly name = 'fiat';

  constructor(
    private readonly configured: FiatRates,
    private readonly ecb: EcbRates | undefined,
    private readonly market: MarketExchangeRates | undefined,
  ) {}

  get isCircuitOpen(): boolean {
    return this.ecb?.isCircuitOpen ?? false;
  }

  async observe(now: Date, { fiats }: PricedAssets): Promise<Observation> {
    const [ecb, market] = await Promise.all([
      this.ecb?.read(now) ?? NOTHING,
      this.market?.read(now) ?? NOTHING,
    ]);
    const quotes = fiats.flatMap((asset): SourceQuote[] => {
      const configured = this.configured.get(asset);
      const published = ecb.rates?.usd.get(asset);
      const traded = market.rates?.get(asset);
      const quote = { asset, saidAt: now };
      if (configured) return [{ ...quote, usd: configured, source: CONFIGURED, asOf: now }];
      if (ecb.rates && published) {
        return [{ ...quote, usd: published, source: ECB, asOf: ecb.rates.asOf }];
      }
      return traded ? [{ ...quote, ...traded, source: MARKET }] : [];
    });
    return { quotes, troubles: [...ecb.troubles, ...market.troubles] };
  }
}

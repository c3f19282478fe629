import type {
  Observation,
  PricedAssets,
  PriceSource,
  SourceQuote,
} from '../../prices/price-source.js';
import type { EcbRatesAdapter } from './ecb-rates.adapter.js';
import type { FiatRates } from '../../prices/fiat-rates.js';
import type { MarketRatesAdapter } from './market-rates.adapter.js';

const CONFIGURED = 'fiat:configured';
const ECB = 'fiat:ecb';
const MARKET = 'fiat:market';

const NOTHING = { rates: null, errors: [] };

/** Exchange rates by priority: configured by the operator (never stale), central bank, market-data API. */
export class ExchangeRatesAdapter implements PriceSource {
  readonly name = 'fiat';

  constructor(
    private readonly configured: FiatRates,
    private readonly ecb: EcbRatesAdapter | undefined,
    private readonly market: MarketRatesAdapter | undefined,
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
      const quote = { asset, confirmedAt: now };
      if (configured) return [{ ...quote, usd: configured, source: CONFIGURED, asOf: now }];
      if (ecb.rates && published) {
        return [{ ...quote, usd: published, source: ECB, asOf: ecb.rates.asOf }];
      }
      return traded ? [{ ...quote, ...traded, source: MARKET }] : [];
    });
    return { quotes, errors: [...ecb.errors, ...market.errors] };
  }
}

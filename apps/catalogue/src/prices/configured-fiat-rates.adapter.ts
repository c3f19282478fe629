import type { FiatRates } from './fiat-rates.js';
import type { ObservedPrice, PriceSource } from './price-source.js';

/** Exchange rates that the operator configures, always current as far as anyone knows. */
export class ConfiguredFiatRates implements PriceSource {
  readonly name = 'fiat:configured';

  constructor(
    private readonly rates: FiatRates,
    private readonly fiats: readonly string[],
  ) {}

  async observe(): Promise<ObservedPrice[]> {
    return this.fiats.flatMap((asset) => {
      const usd = this.rates.get(asset);
      return usd ? [{ asset, usd, source: this.name }] : [];
    });
  }
}

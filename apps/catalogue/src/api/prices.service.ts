import { unavailable, type PricesResponse } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import { PriceCacheService } from '../observation/price-cache.service.js';
import { priceTable } from '../prices/price-table.js';

@Injectable()
export class PricesService {
  constructor(
    private readonly memory: PriceCacheService,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  /** Whether a source of this deployment has, or may still get, a rate of the currency. */
  mayHaveRate(fiat: string): boolean {
    const { fiatRates, ecb } = this.config.prices;
    return (
      fiatRates.has(fiat) || this.memory.hasSeen(fiat) || (!!ecb && !this.memory.hasSeen('eur'))
    );
  }

  /** Prices `tokens` in `fiat`, both in lower case. */
  table(fiat: string, tokens: readonly string[]): PricesResponse {
    const table = priceTable(fiat, tokens, (asset) => this.memory.fresh(asset));
    if (!table) throw unavailable(`No current exchange rate of ${fiat}. Try again later.`);
    return table;
  }
}

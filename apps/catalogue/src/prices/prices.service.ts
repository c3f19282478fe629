import { unavailable, type PricesResponse } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../catalogue.config.js';
import { PriceRepository } from '../persistence/price.repository.js';
import { priceTable } from './price-table.js';

@Injectable()
export class PricesService {
  constructor(
    private readonly prices: PriceRepository,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  /** `fiat` and `tokens` in lower case. */
  async table(fiat: string, tokens: readonly string[]): Promise<PricesResponse> {
    const assets = new Set(['usd', fiat, ...tokens]);
    const fresh = await this.prices.fresh([...assets], this.config.priceMaxAgeMs);
    const table = priceTable(fiat, tokens, fresh);
    if (!table) throw unavailable(`There is no current exchange rate of ${fiat}.`);
    return table;
  }
}

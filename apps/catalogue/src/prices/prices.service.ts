import { unavailable, type PricesResponse } from '@bascule/contracts';
import { Injectable } from '@nestjs/common';
import { PriceMemory } from './price-memory.service.js';
import { priceTable } from './price-table.js';

@Injectable()
export class PricesService {
  constructor(private readonly memory: PriceMemory) {}

  /** `fiat` and `tokens` in lower case. */
  table(fiat: string, tokens: readonly string[]): PricesResponse {
    const table = priceTable(fiat, tokens, (asset) => this.memory.fresh(asset));
    if (!table) throw unavailable(`There is no current exchange rate of ${fiat}.`);
    return table;
  }
}

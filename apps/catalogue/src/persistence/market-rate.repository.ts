import { formatDecimal, parseDecimal } from '@bascule/amounts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DatedRate, DatedRateTable } from '../prices/accepted-rates.js';
import { MarketRateEntity } from './market-rate.entity.js';

@Injectable()
export class MarketRateRepository {
  constructor(private readonly dataSource: DataSource) {}

  async all(): Promise<Map<string, DatedRate>> {
    const rows = await this.dataSource.manager.find(MarketRateEntity);
    return new Map(
      rows.map(({ currency, usd, asOf }) => [currency, { usd: parseDecimal(usd), asOf }]),
    );
  }

  /** Saves these rates; other currencies keep theirs. */
  async save(rates: DatedRateTable): Promise<void> {
    const rows = [...rates].map(([currency, { usd, asOf }]) => ({
      currency,
      usd: formatDecimal(usd),
      asOf,
    }));
    await this.dataSource.manager.upsert(MarketRateEntity, rows, ['currency']);
  }
}

import { formatDecimal, parseDecimal } from '@bascule/amounts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { DatedRates } from '../prices/ecb-rates.js';
import { FiatRateEntity } from './fiat-rate.entity.js';

@Injectable()
export class FiatRateRepository {
  constructor(private readonly dataSource: DataSource) {}

  async latest(): Promise<DatedRates | null> {
    const rows = await this.dataSource.manager.find(FiatRateEntity);
    const [first] = rows;
    if (!first) return null;
    return {
      asOf: first.asOf,
      usd: new Map(rows.map(({ currency, usd }) => [currency, parseDecimal(usd)])),
    };
  }

  /** Replaces all rates with those of one day. */
  async replace({ asOf, usd }: DatedRates): Promise<void> {
    const rows = [...usd].map(([currency, rate]) => ({ currency, usd: formatDecimal(rate), asOf }));
    await this.dataSource.transaction(async (manager) => {
      await manager.query('LOCK TABLE fiat_rates IN SHARE ROW EXCLUSIVE MODE');
      await manager.query('DELETE FROM fiat_rates');
      await manager.insert(FiatRateEntity, rows);
    });
  }
}

import { formatDecimal, parseDecimal, type Decimal } from '@bascule/amounts';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import { PriceEntity, type StoredQuote } from './price.entity.js';

const LISTED = `
  SELECT prices.asset, usd, quotes,
    (extract(epoch FROM clock_timestamp() - observed_at) * 1000)::float8 AS age_ms
  FROM prices JOIN assets ON assets.id = prices.asset AND assets.listed`;

/** The newest price of a listed asset. */
export interface KnownPrice {
  asset: string;
  /** In US dollars per unit. */
  usd: Decimal;
  quotes: readonly StoredQuote[];
  /** Since it was observed, by the database's clock. */
  ageMs: number;
}

@Injectable()
export class PriceRepository {
  constructor(private readonly dataSource: DataSource) {}

  async listed(): Promise<KnownPrice[]> {
    const rows: { asset: string; usd: string; quotes: StoredQuote[]; age_ms: number }[] =
      await this.dataSource.query(LISTED);
    return rows.map(({ asset, usd, quotes, age_ms }) => ({
      asset,
      usd: parseDecimal(usd),
      quotes,
      ageMs: age_ms,
    }));
  }

  /** In the order of their keys, so that two writers cannot wait for each other. */
  async locked(
    manager: EntityManager,
    assets: readonly string[],
  ): Promise<Map<string, PriceEntity>> {
    const rows = await manager.find(PriceEntity, {
      where: { asset: In(assets) },
      order: { asset: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    return new Map(rows.map((row) => [row.asset, row]));
  }

  async save(manager: EntityManager, price: Omit<PriceEntity, 'usd'> & { usd: Decimal }) {
    await manager.upsert(PriceEntity, { ...price, usd: formatDecimal(price.usd) }, ['asset']);
  }

  async now(manager: EntityManager): Promise<Date> {
    const rows: { now: Date }[] = await manager.query('SELECT clock_timestamp() AS now');
    const now = rows[0]?.now;
    if (!now) throw new Error('the database did not tell the time');
    return now;
  }
}

import { formatDecimal, parseDecimal, type Decimal } from '@bascule/amounts';
import { Injectable } from '@nestjs/common';
import { DataSource, In, type EntityManager } from 'typeorm';
import { PriceEntity } from './price.entity.js';

const FRESH = `
  SELECT asset, usd FROM prices
  WHERE asset = ANY($1) AND observed_at > clock_timestamp() - $2 * interval '1 millisecond'`;

const AGES = `
  SELECT source, extract(epoch FROM clock_timestamp() - min(observed_at))::float8 AS age
  FROM prices JOIN assets ON assets.id = prices.asset AND assets.listed, unnest(sources) AS source
  GROUP BY source`;

@Injectable()
export class PriceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** US dollars per unit, without prices that were observed longer than `maxAgeMs` ago. */
  async fresh(assets: readonly string[], maxAgeMs: number): Promise<Map<string, Decimal>> {
    const rows: { asset: string; usd: string }[] = await this.dataSource.query(FRESH, [
      [...assets],
      maxAgeMs,
    ]);
    return new Map(rows.map(({ asset, usd }) => [asset, parseDecimal(usd)]));
  }

  /** Seconds since the price of a listed asset was observed that was longest ago, by source. */
  ages(): Promise<{ source: string; age: number }[]> {
    return this.dataSource.query(AGES);
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

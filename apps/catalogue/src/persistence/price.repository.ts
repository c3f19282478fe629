import { formatDecimal, parseDecimal, type Decimal } from '@bascule/amounts';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { PriceEntity, StoredQuote } from './price.entity.js';

const LISTED = `
  SELECT prices.asset, usd, quotes,
    (extract(epoch FROM clock_timestamp() - observed_at) * 1000)::float8 AS age_ms
  FROM prices JOIN assets ON assets.id = prices.asset AND assets.listed`;

const LOCKED = `
  SELECT asset, usd, sources, quotes, observed_at AS "observedAt", version, published_at AS "publishedAt"
  FROM prices WHERE asset = ANY ($1) ORDER BY asset FOR UPDATE`;

const SAVE = `
  INSERT INTO prices (asset, usd, sources, quotes, observed_at, version, published_at)
  SELECT asset, usd, sources, quotes, "observedAt", version, "publishedAt"
  FROM jsonb_to_recordset($1) AS p (
    asset text, usd numeric, sources text[], quotes jsonb,
    "observedAt" timestamptz, version integer, "publishedAt" timestamptz
  )
  ORDER BY asset
  ON CONFLICT (asset) DO UPDATE SET usd = EXCLUDED.usd, sources = EXCLUDED.sources,
    quotes = EXCLUDED.quotes, observed_at = EXCLUDED.observed_at, version = EXCLUDED.version,
    published_at = EXCLUDED.published_at`;

export type RecordedPrice = Omit<PriceEntity, 'usd'> & { usd: Decimal };

/** The newest price of a listed asset. */
export interface KnownPrice {
  asset: string;
  /** In US dollars per unit. */
  usd: Decimal;
  quotes: readonly StoredQuote[];
  /** Age of the observation by the database's clock. */
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

  /** Locks prices in key order, so that two writers cannot deadlock. */
  async locked(
    manager: EntityManager,
    assets: readonly string[],
  ): Promise<Map<string, RecordedPrice>> {
    const rows: (Omit<RecordedPrice, 'usd'> & { usd: string })[] = await manager.query(LOCKED, [
      assets,
    ]);
    return new Map(rows.map((row) => [row.asset, { ...row, usd: parseDecimal(row.usd) }]));
  }

  /** Saves all prices of an observation, often hundreds, in one statement. */
  async save(manager: EntityManager, prices: readonly RecordedPrice[]): Promise<void> {
    const rows = prices.map((price) => ({ ...price, usd: formatDecimal(price.usd) }));
    await manager.query(SAVE, [JSON.stringify(rows)]);
  }

  async now(manager: EntityManager): Promise<Date> {
    const rows: { now: Date }[] = await manager.query('SELECT clock_timestamp() AS now');
    const now = rows[0]?.now;
    if (!now) throw new Error('expected a row with the time of the database');
    return now;
  }
}

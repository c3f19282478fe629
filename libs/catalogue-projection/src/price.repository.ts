import { type Decimal, parseDecimal } from '@bascule/amounts';
import type { AssetIdentifier, DecimalString, PriceState } from '@bascule/contracts';
import { upsertProjection } from '@bascule/messaging';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const NEWEST = 'SELECT asset, usd::text AS usd FROM prices WHERE asset = ANY($1)';

const FRESH = `
  SELECT asset, usd FROM prices
  WHERE asset = ANY($1) AND observed_at > clock_timestamp() - $2 * interval '1 millisecond'`;

const FRESH_ASSETS = `
  SELECT asset FROM prices
  WHERE observed_at > clock_timestamp() - $1 * interval '1 millisecond'
  ORDER BY asset`;

/** Prices of the catalogue, in US dollars for one whole unit. */
@Injectable()
export class PriceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest prices whatever their age; assets without one are left out. */
  async newest(assets: Iterable<AssetIdentifier>): Promise<Map<AssetIdentifier, DecimalString>> {
    const rows: { asset: string; usd: DecimalString }[] = await this.dataSource.query(NEWEST, [
      [...assets],
    ]);
    return new Map(rows.map(({ asset, usd }) => [asset, usd]));
  }

  /** Prices that were observed at most `maxAgeMs` ago. */
  async fresh(
    assets: Iterable<AssetIdentifier>,
    maxAgeMs: number,
  ): Promise<Map<AssetIdentifier, Decimal>> {
    const rows: { asset: string; usd: string }[] = await this.dataSource.query(FRESH, [
      [...assets],
      maxAgeMs,
    ]);
    return new Map(rows.map(({ asset, usd }) => [asset, parseDecimal(usd)]));
  }

  /** Assets whose price was observed at most `maxAgeMs` ago, in order. */
  async freshAssets(maxAgeMs: number): Promise<AssetIdentifier[]> {
    const rows: { asset: string }[] = await this.dataSource.query(FRESH_ASSETS, [maxAgeMs]);
    return rows.map(({ asset }) => asset);
  }

  async save({ asset, usd, observed_at, version }: PriceState): Promise<void> {
    await upsertProjection(this.dataSource.manager, {
      table: 'prices',
      key: { asset: asset.toLowerCase() },
      version,
      columns: { usd, observed_at },
    });
  }
}

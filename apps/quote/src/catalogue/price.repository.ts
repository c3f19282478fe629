import { parseDecimal, type Decimal } from '@bascule/amounts';
import type { AssetIdentifier, PriceState } from '@bascule/contracts';
import { upsertProjection } from '@bascule/messaging';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

const FRESH = `
  SELECT asset, usd FROM prices
  WHERE asset = ANY($1) AND observed_at > clock_timestamp() - $2 * interval '1 millisecond'`;

const FRESH_ASSETS = `
  SELECT asset FROM prices
  WHERE observed_at > clock_timestamp() - $1 * interval '1 millisecond'
  ORDER BY asset`;

@Injectable()
export class PriceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Prices in US dollars per unit, observed at most `maxAgeMs` ago. */
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

  /** Assets with a price observed at most `maxAgeMs` ago, sorted. */
  async freshAssets(maxAgeMs: number): Promise<AssetIdentifier[]> {
    const rows: { asset: string }[] = await this.dataSource.query(FRESH_ASSETS, [maxAgeMs]);
    return rows.map(({ asset }) => asset);
  }

  async save({ asset, usd, observed_at, version }: PriceState): Promise<void> {
    await upsertProjection(this.dataSource.manager, {
      table: 'prices',
      key: { asset },
      version,
      columns: { usd, observed_at },
    });
  }
}

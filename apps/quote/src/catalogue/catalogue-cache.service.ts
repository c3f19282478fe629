import { PriceRepository } from '@bascule/catalogue-projection';
import type { AssetIdentifier } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote.config.js';
import { toKnownAsset, type KnownAssets } from '../routes/known-asset.js';
import { CatalogueAssetRepository } from './catalogue-asset.repository.js';
import { SnapshotCache } from './snapshot-cache.js';

export interface AssetSnapshot {
  assets: KnownAssets;
  revision: string;
}

export interface PricedSnapshot {
  assets: ReadonlySet<AssetIdentifier>;
  revision: string;
}

/** Maximum age in memory: each event reaches one replica only, so all of them poll the projections. */
const FRESH_MS = 1_000;

/** In-memory snapshots of the listed assets and of the assets with a fresh price. */
@Injectable()
export class CatalogueCacheService {
  private readonly listed: SnapshotCache<AssetSnapshot>;
  private readonly priced: SnapshotCache<PricedSnapshot>;

  constructor(
    private readonly assetRows: CatalogueAssetRepository,
    private readonly prices: PriceRepository,
    @Inject(QUOTE_CONFIG) private readonly config: QuoteConfig,
  ) {
    this.listed = new SnapshotCache(() => this.readListed(), FRESH_MS);
    this.priced = new SnapshotCache(() => this.readPriced(), FRESH_MS);
  }

  listedAssets(): Promise<AssetSnapshot> {
    return this.listed.get();
  }

  pricedAssets(): Promise<PricedSnapshot> {
    return this.priced.get();
  }

  private async readListed(): Promise<AssetSnapshot> {
    const rows = await this.assetRows.listed();
    return {
      assets: new Map(rows.map(({ id, asset }) => [id, toKnownAsset(id, asset)])),
      revision: rows.map(({ id, version }) => `${id}@${version}`).join(),
    };
  }

  private async readPriced(): Promise<PricedSnapshot> {
    const assets = await this.prices.freshAssets(this.config.priceMaxAgeMs);
    return { assets: new Set(assets), revision: assets.join() };
  }
}

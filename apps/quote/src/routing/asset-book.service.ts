import { Injectable } from '@nestjs/common';
import { CatalogueAssetRepository } from '../persistence/catalogue-asset.repository.js';
import { knownAsset, type KnownAssets } from './known-asset.js';

export interface AssetSnapshot {
  assets: KnownAssets;
  /** Differs when anything in it does. */
  revision: string;
}

/** Events reach one replica only, so each looks into the projection again, but not for every request. */
const REFRESH_MS = 1_000;

/** The listed assets, in memory. */
@Injectable()
export class AssetBook {
  private snapshot: Promise<AssetSnapshot> | undefined;
  private loadedAt = 0;

  constructor(private readonly repository: CatalogueAssetRepository) {}

  current(): Promise<AssetSnapshot> {
    if (!this.snapshot || Date.now() - this.loadedAt > REFRESH_MS) {
      this.loadedAt = Date.now();
      this.snapshot = this.load();
      this.snapshot.catch(() => {
        this.snapshot = undefined;
      });
    }
    return this.snapshot;
  }

  private async load(): Promise<AssetSnapshot> {
    const rows = await this.repository.listed();
    return {
      assets: new Map(rows.map(({ id, asset }) => [id, knownAsset(id, asset)])),
      revision: rows.map(({ id, version }) => `${id}@${version}`).join(),
    };
  }
}

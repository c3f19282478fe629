import { Injectable } from '@nestjs/common';
import { RecentlyRead } from './recently-read.js';
import { CatalogueAssetRepository } from './catalogue-asset.repository.js';
import { knownAsset, type KnownAssets } from '../routes/known-asset.js';

export interface AssetSnapshot {
  assets: KnownAssets;
  /** Differs when anything in it does. */
  revision: string;
}

/** Events reach one replica only, so each looks into the projection again, but not for every request. */
const REFRESH_MS = 1_000;

/** The listed assets, in memory. */
@Injectable()
export class AssetBookService {
  private readonly read = new RecentlyRead(() => this.load(), REFRESH_MS);

  constructor(private readonly repository: CatalogueAssetRepository) {}

  current(): Promise<AssetSnapshot> {
    return this.read.current();
  }

  private async load(): Promise<AssetSnapshot> {
    const rows = await this.repository.listed();
    return {
      assets: new Map(rows.map(({ id, asset }) => [id, knownAsset(id, asset)])),
      revision: rows.map(({ id, version }) => `${id}@${version}`).join(),
    };
  }
}

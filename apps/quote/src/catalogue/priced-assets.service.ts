import type { AssetIdentifier } from '@bascule/contracts';
import { Inject, Injectable } from '@nestjs/common';
import { RecentlyRead } from './recently-read.js';
import { PriceRepository } from './price.repository.js';
import { QUOTE_CONFIG, type QuoteConfig } from '../config/quote-config.js';

export interface PricedSnapshot {
  assets: ReadonlySet<AssetIdentifier>;
  /** Differs when anything in it does. */
  revision: string;
}

const REFRESH_MS = 1_000;

/** The assets that have a price to quote with, in memory. */
@Injectable()
export class PricedAssetsService {
  private readonly read: RecentlyRead<PricedSnapshot>;

  constructor(prices: PriceRepository, @Inject(QUOTE_CONFIG) { priceMaxAgeMs }: QuoteConfig) {
    this.read = new RecentlyRead(async () => {
      const assets = await prices.freshAssets(priceMaxAgeMs);
      return { assets: new Set(assets), revision: assets.join() };
    }, REFRESH_MS);
  }

  current(): Promise<PricedSnapshot> {
    return this.read.current();
  }
}

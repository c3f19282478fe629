import type { AssetsResponse } from '@bascule/contracts';
import { RequirePermission } from '@bascule/http';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../catalogue.config.js';
import { ListingRepository } from '../persistence/listing.repository.js';
import { filterAssets, scopeOf } from './asset-filter.js';
import { AssetsQueryDto } from './assets-query.dto.js';

@Controller('assets')
export class AssetsController {
  constructor(
    private readonly listing: ListingRepository,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  @Get()
  @RequirePermission('assets')
  async assets(@Query() query: AssetsQueryDto): Promise<AssetsResponse> {
    const [assets, chains] = await Promise.all([this.listing.assets(), this.listing.chains()]);
    const testnets = new Set(chains.filter(({ value }) => value.is_testnet).map(({ id }) => id));
    return filterAssets(
      assets.filter(({ listed }) => listed).map(({ id, value }) => ({ id, asset: value })),
      {
        scope: scopeOf(query.sandbox, this.config.assetScope),
        isTestnet: (chain) => testnets.has(chain),
        ...(query.assets && { only: query.assets }),
      },
    );
  }
}

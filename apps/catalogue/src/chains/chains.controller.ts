import type { ChainsResponse } from '@bascule/contracts';
import { RequirePermission } from '@bascule/http';
import { Controller, Get, Inject, Query } from '@nestjs/common';
import { inScope, scopeOf } from '../assets/asset-filter.js';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../catalogue.config.js';
import { ListingRepository } from '../persistence/listing.repository.js';
import { ChainsQueryDto } from './chains-query.dto.js';

@Controller('chains')
export class ChainsController {
  constructor(
    private readonly listing: ListingRepository,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  @Get()
  @RequirePermission('assets')
  async chains(@Query() query: ChainsQueryDto): Promise<ChainsResponse> {
    const scope = scopeOf(query.sandbox, this.config.assetScope);
    const chains = await this.listing.chains();
    return Object.fromEntries(
      chains
        .filter(({ listed, value }) => listed && inScope(scope, value.is_testnet))
        .map(({ id, value }) => [id, value]),
    );
  }
}

import { RequirePermission } from '@bascule/identity';
import { AnswerCache, PUBLIC_ANSWER } from '@bascule/service-host';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { inScope, scopeOf } from '../assets/asset-filter.js';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import { ListingSnapshotService } from '../listing/listing-snapshot.service.js';
import { ChainsQueryDto } from './chains-query.dto.js';

@Controller('chains')
export class ChainsController {
  private readonly answers = new AnswerCache();

  constructor(
    private readonly listing: ListingSnapshotService,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  @Get()
  @RequirePermission('assets')
  async chains(@Query() query: ChainsQueryDto, @Res() reply: FastifyReply): Promise<void> {
    const scope = scopeOf(query.sandbox, this.config.assetScope);
    return this.answers.answer(reply, {
      key: scope,
      revision: this.listing.revision,
      cacheControl: PUBLIC_ANSWER,
      body: () =>
        Object.fromEntries(
          this.listing
            .chains()
            .filter(({ chain }) => inScope(scope, chain.is_testnet))
            .map(({ id, chain }) => [id, chain]),
        ),
    });
  }
}

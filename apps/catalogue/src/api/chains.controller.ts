import { isInScope, requestScope } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { AnswerCache, ORGANISATION_ANSWER } from '@bascule/service-host';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
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
  async chains(
    @Query() { sandbox }: ChainsQueryDto,
    @CurrentCaller() { mode }: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const scope = requestScope({ mode, sandbox, configured: this.config.assetScope });
    return this.answers.answer(reply, {
      key: scope,
      revision: this.listing.revision,
      cacheControl: ORGANISATION_ANSWER,
      body: () =>
        Object.fromEntries(
          this.listing
            .chains()
            .filter(({ chain }) => isInScope(scope, chain.is_testnet))
            .map(({ id, chain }) => [id, chain]),
        ),
    });
  }
}

import { requestScope } from '@bascule/contracts';
import { CurrentCaller, RequirePermission, type Caller } from '@bascule/identity';
import { AnswerCache, ORGANISATION_ANSWER } from '@bascule/service-host';
import { Controller, Get, Inject, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CATALOGUE_CONFIG, type CatalogueConfig } from '../config/catalogue.config.js';
import { ListingSnapshotService } from '../listing/listing-snapshot.service.js';
import { filterAssets } from '../assets/asset-filter.js';
import { AssetsRequestReaderService } from './assets-request-reader.service.js';

@Controller('assets')
export class AssetsController {
  private readonly answers = new AnswerCache();

  constructor(
    private readonly reader: AssetsRequestReaderService,
    private readonly listing: ListingSnapshotService,
    @Inject(CATALOGUE_CONFIG) private readonly config: CatalogueConfig,
  ) {}

  @Get()
  @RequirePermission('assets')
  async assets(
    @Query() query: unknown,
    @CurrentCaller() { mode }: Caller,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { sandbox, assets } = await this.reader.read(query);
    const scope = requestScope({ mode, sandbox, configured: this.config.assetScope });
    const only = assets && [...new Set(assets)].sort();
    const { revision } = this.listing;
    return this.answers.answer(reply, {
      key: JSON.stringify([scope, only ?? null]),
      revision,
      cacheControl: ORGANISATION_ANSWER,
      body: () => {
        const testnets = new Set(
          this.listing
            .chains()
            .filter(({ chain }) => chain.is_testnet)
            .map(({ id }) => id),
        );
        return filterAssets(this.listing.assets(), {
          scope,
          isTestnet: (chain) => testnets.has(chain),
          ...(only && { only }),
        });
      },
    });
  }
}

import { TOPICS, type CatalogueEvent } from '@bascule/contracts';
import { ProjectionPattern } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { CatalogueAssetRepository } from './catalogue-asset.repository.js';

/** Keeps the catalogue's assets; chains come from configuration. */
@Controller()
export class CatalogueConsumer {
  constructor(private readonly assets: CatalogueAssetRepository) {}

  @ProjectionPattern(TOPICS.catalogue, { tables: ['catalogue_assets'] })
  async on(@Payload() event: CatalogueEvent): Promise<void> {
    if (event.type !== 'chain.listed') await this.assets.save(event.data);
  }
}

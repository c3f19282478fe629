import { TOPICS, type CatalogueEvent } from '@bascule/contracts';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { CatalogueAssetRepository } from '../persistence/catalogue-asset.repository.js';

/** Chains are configuration here as everywhere; of the catalogue only its assets are kept. */
@Controller()
export class CatalogueConsumer {
  constructor(private readonly assets: CatalogueAssetRepository) {}

  @EventPattern<Record<string, CatalogueEvent>>(TOPICS.catalogue.name)
  async on(@Payload() event: CatalogueEvent): Promise<void> {
    if (event.type !== 'chain.listed') await this.assets.save(event.data);
  }
}

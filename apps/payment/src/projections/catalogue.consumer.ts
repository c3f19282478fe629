import { TOPICS } from '@bascule/contracts';
import type { CatalogueEvent, PriceEvent } from '@bascule/contracts';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { AssetDirectory } from './asset-directory.repository.js';

/** Keeps the catalogue's assets and prices. */
@Controller()
export class CatalogueConsumer {
  constructor(private readonly directory: AssetDirectory) {}

  @EventPattern<string>(TOPICS.catalogue.name)
  async onCatalogue(@Payload() event: CatalogueEvent): Promise<void> {
    if (event.type !== 'chain.listed') await this.directory.keepAsset(event.data);
  }

  @EventPattern<string>(TOPICS.price.name)
  async onPrice(@Payload() event: PriceEvent): Promise<void> {
    await this.directory.keepPrice(event.data);
  }
}

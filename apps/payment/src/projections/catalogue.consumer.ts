import { isHandledBy, TOPICS } from '@bascule/contracts';
import type { CatalogueEvent, PriceEvent } from '@bascule/contracts';
import { ProjectionPattern } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { AssetDirectoryRepository } from './asset-directory.repository.js';

/** Keeps the catalogue's assets and prices. */
@Controller()
export class CatalogueConsumer {
  constructor(private readonly directory: AssetDirectoryRepository) {}

  @ProjectionPattern(TOPICS.catalogue, { tables: ['assets'] })
  async onCatalogue(@Payload() event: CatalogueEvent): Promise<void> {
    if (isHandledBy('payment', event)) await this.directory.keepAsset(event.data);
  }

  @ProjectionPattern(TOPICS.price, { tables: ['prices'] })
  async onPrice(@Payload() event: PriceEvent): Promise<void> {
    await this.directory.keepPrice(event.data);
  }
}

import { isHandledBy, type PriceEvent, TOPICS } from '@bascule/contracts';
import { ProjectionPattern } from '@bascule/messaging';
import { Controller, type Type } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import type { AssetProjection } from './catalogue.consumer.js';
import { PriceRepository } from './price.repository.js';

/** Builds the controller that keeps a service's table of prices. */
export function priceConsumer(service: AssetProjection['service']): Type {
  @Controller()
  class PriceConsumer {
    constructor(private readonly prices: PriceRepository) {}

    @ProjectionPattern(TOPICS.price, { tables: ['prices'] })
    async on(@Payload() event: PriceEvent): Promise<void> {
      if (isHandledBy(service, event)) await this.prices.save(event.data);
    }
  }
  return PriceConsumer;
}

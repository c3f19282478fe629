import { type PriceEvent, TOPICS } from '@bascule/contracts';
import { ProjectionPattern } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { PriceRepository } from './price.repository.js';

@Controller()
export class PriceConsumer {
  constructor(private readonly prices: PriceRepository) {}

  @ProjectionPattern(TOPICS.price, { tables: ['prices'] })
  async on(@Payload() event: PriceEvent): Promise<void> {
    await this.prices.save(event.data);
  }
}

import { TOPICS, type PriceEvent } from '@bascule/contracts';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { PriceRepository } from '../persistence/price.repository.js';

@Controller()
export class PriceConsumer {
  constructor(private readonly prices: PriceRepository) {}

  @EventPattern<Record<string, PriceEvent>>(TOPICS.price.name)
  async on(@Payload() event: PriceEvent): Promise<void> {
    await this.prices.save(event.data);
  }
}

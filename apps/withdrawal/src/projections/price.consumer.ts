import { TOPICS } from '@bascule/contracts';
import type { PriceEvent } from '@bascule/contracts';
import { upsertProjection } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

@Controller()
export class PriceConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @EventPattern<string>(TOPICS.price.name)
  async on(@Payload() { data }: PriceEvent): Promise<void> {
    await upsertProjection(this.dataSource.manager, {
      table: 'prices',
      key: { asset: data.asset.toLowerCase() },
      version: data.version,
      columns: { usd: data.usd, observed_at: data.observed_at },
    });
  }
}

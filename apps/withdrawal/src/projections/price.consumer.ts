import { TOPICS } from '@bascule/contracts';
import type { PriceEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

@Controller()
export class PriceConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.price, { tables: ['prices'] })
  async on(@Payload() { data }: PriceEvent): Promise<void> {
    await upsertProjection(this.dataSource.manager, {
      table: 'prices',
      key: { asset: data.asset.toLowerCase() },
      version: data.version,
      columns: { usd: data.usd, observed_at: data.observed_at },
    });
  }
}

import { isHandledBy, TOPICS, type VenueEvent } from '@bascule/contracts';
import { ProjectionPattern, upsertProjection } from '@bascule/messaging';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';

/** Keeps the newest rating of each venue. */
@Controller()
export class VenueRatingsConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @ProjectionPattern(TOPICS.venues, { tables: ['venue_ratings'] })
  async on(@Payload() event: VenueEvent): Promise<void> {
    if (!isHandledBy('quote', event)) return;
    const { chain, venue, version, conversions, shortfall_ppm, measured_at } = event.data;
    await upsertProjection(this.dataSource.manager, {
      table: 'venue_ratings',
      key: { chain, venue },
      version,
      columns: { conversions, shortfall_ppm, measured_at },
    });
  }
}

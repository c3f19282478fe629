import { ServiceContext } from '@bascule/process';
import { RatingsCache, type ShortfallOf } from '@bascule/venues';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { VenueRatingEntity } from './venue-rating.entity.js';

/** Ratings of venues, as payment measured them last. */
@Injectable()
export class VenueRatingsService {
  private readonly cache: RatingsCache;

  constructor(dataSource: DataSource, context: ServiceContext) {
    this.cache = new RatingsCache(async () => {
      const rows = await dataSource.manager.find(VenueRatingEntity);
      return rows.map(({ chain, venue, conversions, shortfallPpm, measuredAt }) => ({
        ...{ chain, venue, conversions, measuredAt },
        shortfallPpm: BigInt(shortfallPpm),
      }));
    }, context);
  }

  /** Shortfalls of a chain's venues. */
  shortfallsOn(chain: string): Promise<ShortfallOf> {
    return this.cache.shortfallsOn(chain);
  }
}

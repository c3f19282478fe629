import { RepeatedWarning } from '@bascule/process';
import type { ServiceContext } from '@bascule/process';
import { LRUCache } from 'lru-cache';
import type { ShortfallOf } from '../conversions/venue.js';
import { shortfallsOn } from './venue-rating.js';
import type { VenueRating } from './venue-rating.js';

const FRESH_MS = 1_000;
const ALL = 'ratings';

/** Ratings of venues as they were stored at most a second ago. */
export class RatingsCache {
  private readonly cache: LRUCache<typeof ALL, readonly VenueRating[]>;
  private readonly trouble: RepeatedWarning;

  constructor(
    read: () => Promise<readonly VenueRating[]>,
    { logger }: Pick<ServiceContext, 'logger'>,
  ) {
    this.trouble = new RepeatedWarning(logger, 'ratings of venues could not be read');
    this.cache = new LRUCache<typeof ALL, readonly VenueRating[]>({
      max: 1,
      ttl: FRESH_MS,
      allowStaleOnFetchRejection: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: () =>
        read().catch((err: unknown) => {
          this.trouble.report('the database did not answer', { err });
          throw err;
        }),
    });
  }

  /** Shortfalls of a chain's venues. Where they cannot be read, the last ones, or none: a rating stops no payment. */
  async shortfallsOn(chain: string): Promise<ShortfallOf> {
    const ratings = await this.cache.forceFetch(ALL).catch(() => []);
    return shortfallsOn(chain, ratings, new Date());
  }
}

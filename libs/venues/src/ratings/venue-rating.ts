import { VENUE_RATING_LIFETIME_MS } from '@bascule/contracts';
import type { ShortfallOf } from '../conversions/venue.js';

/** Measured conversions of a venue on a chain. */
export interface VenueRating {
  chain: string;
  venue: string;
  conversions: number;
  /** Mean shortfall of what arrived against what was quoted, in millionths; at least 0. */
  shortfallPpm: bigint;
  measuredAt: Date;
}

/** Fewer conversions tell too little: a price may have moved against each of them. */
const MIN_RATED_CONVERSIONS = 5;

/** Shortfalls of the venues of a chain by the ratings that count now; 0 for a venue without one. */
export function shortfallsOn(
  chain: string,
  ratings: readonly VenueRating[],
  now: Date,
): ShortfallOf {
  const counted = ratings.filter(
    (rating) =>
      rating.chain === chain &&
      rating.conversions >= MIN_RATED_CONVERSIONS &&
      now.getTime() - rating.measuredAt.getTime() < VENUE_RATING_LIFETIME_MS,
  );
  const byVenue = new Map(counted.map(({ venue, shortfallPpm }) => [venue, shortfallPpm]));
  return (venue) => byVenue.get(venue) ?? 0n;
}

import type { EventEnvelope, Versioned } from './envelope.js';

/** Rating of a venue on a chain: how much less than quoted its conversions paid. */
export interface VenueRatingState extends Versioned {
  /** Name of the chain. */
  chain: string;
  /** Name of the venue. */
  venue: string;
  /**
   * Number of measured conversions; it is halved with their shortfalls when it grows, so that later ones count more.
   * @asType integer
   */
  conversions: number;
  /**
   * Mean shortfall in millionths of the quoted output; 0 where the venue paid what it quoted, or more.
   * @asType integer
   */
  shortfall_ppm: number;
  /** Time of the last measurement; a day later, the rating no longer counts. */
  measured_at: string;
}

/** Time after its last measurement for which a rating counts; then, the venue is tried again. */
export const VENUE_RATING_LIFETIME_MS = 86_400_000;

/** Key of a rating in the topic of venues. */
export const venueRatingKey = ({
  chain,
  venue,
}: Pick<VenueRatingState, 'chain' | 'venue'>): string => `${chain}:${venue}`;

export const VENUE_EVENT_TYPES = ['venue.rated'] as const;
export type VenueEvent = EventEnvelope<(typeof VENUE_EVENT_TYPES)[number], VenueRatingState>;

import { divide } from '@bascule/amounts';
import { VENUE_RATING_LIFETIME_MS } from '@bascule/contracts';

/** Measured conversions and the sum of their shortfalls, in millionths. */
export interface RatingSums {
  conversions: number;
  shortfallSumPpm: bigint;
}

/** More are halved, so that what a venue does now outweighs what it did long ago. */
const MAX_CONVERSIONS = 64;

/** Adds sums to a rating, which starts afresh once its last measurement is too old to count. */
export function addSums(
  rating: RatingSums & { measuredAt: Date },
  added: RatingSums,
  now: Date,
): RatingSums {
  const isOld = now.getTime() - rating.measuredAt.getTime() >= VENUE_RATING_LIFETIME_MS;
  const kept = isOld ? { conversions: 0, shortfallSumPpm: 0n } : rating;
  return halved({
    conversions: kept.conversions + added.conversions,
    shortfallSumPpm: kept.shortfallSumPpm + added.shortfallSumPpm,
  });
}

function halved({ conversions, shortfallSumPpm }: RatingSums): RatingSums {
  if (conversions <= MAX_CONVERSIONS) return { conversions, shortfallSumPpm };
  return halved({
    conversions: Math.floor(conversions / 2),
    shortfallSumPpm: shortfallSumPpm / 2n,
  });
}

/** Mean shortfall in millionths, rounded up; 0 where as much arrived as was quoted, or more. */
export function meanShortfall({ conversions, shortfallSumPpm }: RatingSums): bigint {
  if (conversions === 0 || shortfallSumPpm < 0n) return 0n;
  return divide(shortfallSumPpm, BigInt(conversions), 'up');
}

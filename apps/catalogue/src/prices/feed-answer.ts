import { decimal, type Decimal } from '@bascule/amounts';
import { DEFAULT_HEARTBEAT_SECONDS, feedHeartbeats } from './data/feed-heartbeats.js';

/** What `latestRoundData` of Chainlink's AggregatorV3Interface answers. */
export interface FeedAnswer {
  answer: bigint;
  /** Unix seconds. */
  updatedAt: bigint;
}

/** An update may be mined somewhat after its heartbeat. */
const GRACE = 1.1;

/**
 * The price, or null when the feed's answer cannot be relied on: not positive, of a round that is not complete, or
 * older than the feed's heartbeat allows.
 */
export function priceOfAnswer(
  pair: string,
  { answer, updatedAt }: FeedAnswer,
  decimals: number,
  now: Date,
): Decimal | null {
  if (answer <= 0n || updatedAt === 0n) return null;
  const heartbeat = feedHeartbeats[pair] ?? DEFAULT_HEARTBEAT_SECONDS;
  const ageSeconds = now.getTime() / 1000 - Number(updatedAt);
  return ageSeconds > heartbeat * GRACE ? null : decimal(answer, decimals);
}

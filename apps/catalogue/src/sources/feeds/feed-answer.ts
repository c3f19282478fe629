import { decimal, type Decimal } from '@bascule/amounts';

/** What `latestRoundData` of Chainlink's AggregatorV3Interface answers. */
export interface FeedRound {
  answer: bigint;
  /** Unix seconds. */
  updatedAt: bigint;
}

/** An update may be mined somewhat after its heartbeat, and clocks differ. */
const graceSeconds = (heartbeatSeconds: number): number => Math.max(heartbeatSeconds / 10, 60);

/**
 * The price, or null when the feed's answer cannot be relied on: not positive, of a round that is not complete, or
 * older than the feed's heartbeat allows.
 */
export function priceOfRound(
  { answer, updatedAt }: FeedRound,
  o: { decimals: number; heartbeatSeconds: number; now: Date },
): Decimal | null {
  if (answer <= 0n || updatedAt === 0n) return null;
  const ageSeconds = o.now.getTime() / 1000 - Number(updatedAt);
  return ageSeconds > o.heartbeatSeconds + graceSeconds(o.heartbeatSeconds)
    ? null
    : decimal(answer, o.decimals);
}

const plain = (name: string): string => name.replaceAll(/\s/g, '').toLowerCase();

/**
 * Whether a feed calls itself what it is listed as: `ETH / USD` is `eth/usd`. One whose currency was renamed may go by
 * either name.
 */
export const isDescribedAs = (
  description: string,
  feed: { pair: string; description?: string },
): boolean =>
  [feed.pair, feed.description ?? feed.pair].some((name) => plain(name) === plain(description));

import { decimal, type Decimal } from '@bascule/amounts';

/** Result of `latestRoundData` of Chainlink's AggregatorV3Interface. */
export interface FeedRound {
  answer: bigint;
  /** Unix seconds. */
  updatedAt: bigint;
}

/** Tolerance for late updates and clock drift. */
const graceSeconds = (heartbeatSeconds: number): number => Math.max(heartbeatSeconds / 10, 60);

/**
 * Returns the price, or null when it is not positive, its round is incomplete or it is older than the feed's heartbeat
 * allows.
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
 * Whether a feed's description matches its pair: `ETH / USD` is `eth/usd`. A renamed currency may use its old
 * name.
 */
export const isDescribedAs = (
  description: string,
  feed: { pair: string; description?: string },
): boolean =>
  [feed.pair, feed.description ?? feed.pair].some((name) => plain(name) === plain(description));

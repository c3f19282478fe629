const HOUR = 3_600;
const DAY = 24 * HOUR;

/** How often, in seconds, a feed is promised to be updated even when its price stands still. */
export const feedHeartbeats: Readonly<Record<string, number>> = {
  'eth/usd': HOUR,
  'btc/usd': HOUR,
  'usdc/usd': DAY,
  'usdt/usd': DAY,
};

/** For pairs that are not in the table. */
export const DEFAULT_HEARTBEAT_SECONDS = HOUR;

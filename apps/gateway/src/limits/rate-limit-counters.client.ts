import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Logger } from '@bascule/process';
import type { RateLimitConfig, RedisConfig } from '../config/gateway.config.js';

export interface Count {
  used: number;
  msUntilReset: number;
  /** Counted by all replicas together, not by this one alone. */
  isShared: boolean;
}

const COMMAND_TIMEOUT_MS = 50;
const RECONNECT_MS = 1_000;
/** The caller compares a count with its limit; the counters have none. */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

interface SharedCounters {
  redis: Redis;
  limiter: RateLimiterRedis;
}

/** Counts requests in Redis for all replicas, or in this process while Redis is slow, away or not configured. */
export class RateLimitCountersClient {
  private readonly local: RateLimiterMemory;
  private readonly shared: SharedCounters | undefined;

  constructor(
    { redis, windowSeconds }: Pick<RateLimitConfig, 'redis' | 'windowSeconds'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.local = new RateLimiterMemory({ points: UNLIMITED, duration: windowSeconds });
    this.shared = redis && sharedCounters(redis, windowSeconds, logger);
  }

  async count(key: string): Promise<Count> {
    const shared = this.shared && (await take(this.shared.limiter, key).catch(() => undefined));
    if (shared) return { ...shared, isShared: true };
    return { ...(await take(this.local, key)), isShared: false };
  }

  close(): void {
    this.shared?.redis.disconnect();
  }
}

async function take(limiter: RateLimiterAbstract, key: string): Promise<Omit<Count, 'isShared'>> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(key);
  return { used: consumedPoints, msUntilReset: msBeforeNext };
}

/** Commands fail immediately while Redis is slow or unavailable: a request never waits for it. */
function sharedCounters(
  { url, tlsCa }: RedisConfig,
  windowSeconds: number,
  logger: Pick<Logger, 'warn'>,
): SharedCounters {
  const redis = new Redis(url, {
    // The client reads its version from a file beside its code, which a bundle has not.
    disableClientInfo: true,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
    ...(tlsCa !== undefined && { tls: { ca: tlsCa } }),
  });
  redis.on('error', (err: unknown) => {
    logger.warn({ err }, 'Redis connection failed');
  });
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    keyPrefix: 'bascule:rate',
    points: UNLIMITED,
    duration: windowSeconds,
    rejectIfRedisNotReady: true,
  });
  return { redis, limiter };
}

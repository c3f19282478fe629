import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Logger } from '@bascule/process';
import type { RedisConfig } from '../config/gateway.config.js';

export interface Count {
  used: number;
  msUntilReset: number;
}

const COMMAND_TIMEOUT_MS = 50;
const RECONNECT_MS = 1_000;
// Whether a count exceeds a limit is for the caller to say, who knows whose limit it is.
const UNLIMITED = Number.MAX_SAFE_INTEGER;

async function countOf(limiter: RateLimiterAbstract, key: string): Promise<Count> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(key);
  return { used: consumedPoints, msUntilReset: msBeforeNext };
}

/** Counts requests in this process. */
export class LocalCounters {
  private readonly limiter: RateLimiterMemory;

  constructor(windowSeconds: number) {
    this.limiter = new RateLimiterMemory({ points: UNLIMITED, duration: windowSeconds });
  }

  count(key: string): Promise<Count> {
    return countOf(this.limiter, key);
  }
}

/** Counts requests of all replicas. A Redis that is slow or away is an error at once, never a wait. */
export class SharedCounters {
  private readonly redis: Redis;
  private readonly limiter: RateLimiterRedis;

  constructor({ url, tlsCa }: RedisConfig, windowSeconds: number, logger: Logger) {
    this.redis = new Redis(url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      retryStrategy: () => RECONNECT_MS,
      ...(tlsCa !== undefined && { tls: { ca: tlsCa } }),
    });
    this.redis.on('error', (err: unknown) => {
      logger.warn({ err }, 'Redis cannot be reached');
    });
    this.limiter = new RateLimiterRedis({
      storeClient: this.redis,
      keyPrefix: 'bascule:rate',
      points: UNLIMITED,
      duration: windowSeconds,
      rejectIfRedisNotReady: true,
    });
  }

  count(key: string): Promise<Count> {
    return countOf(this.limiter, key);
  }

  close(): void {
    this.redis.disconnect();
  }
}

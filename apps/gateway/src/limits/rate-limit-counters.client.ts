import { Redis } from 'ioredis';
import type { Logger } from '@bascule/process';
import type { RateLimitConfig, RedisConfig } from '../config/gateway.config.js';
import { LocalCounters } from './local-counters.js';
import type { Taken } from './local-counters.js';
import { affordable, shareOf } from './rate-limit.js';
import type { Budget } from './rate-limit.js';

export interface Counted extends Taken {
  /** Budgets with the limits that applied. */
  budgets: readonly Budget[];
  /** Counted by all replicas together, not by this one alone. */
  isShared: boolean;
}

const COMMAND_TIMEOUT_MS = 50;
const RECONNECT_MS = 1_000;
const KEY_PREFIX = 'bascule:rate:';

/**
 * Charges every counter, or none when one would be exceeded.
 * KEYS: counters; ARGV: window in ms, then cost and limit of each counter.
 * Returns the index of the exceeded counter from 1 (0: none), then units and ms until the reset of each.
 */
const TAKE = `
local exceeded = 0
for i, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or '0')
  if used + tonumber(ARGV[2 * i]) > tonumber(ARGV[2 * i + 1]) then
    exceeded = i
    break
  end
end
local answer = { exceeded }
for i, key in ipairs(KEYS) do
  if exceeded == 0 then
    redis.call('SET', key, '0', 'PX', ARGV[1], 'NX')
    redis.call('INCRBY', key, ARGV[2 * i])
  end
  answer[2 * i] = tonumber(redis.call('GET', key) or '0')
  answer[2 * i + 1] = redis.call('PTTL', key)
end
return answer`;

/** Counts requests in Redis for all replicas, or in this process while Redis is slow, away or not configured. */
export class RateLimitCountersClient {
  private readonly windowMs: number;
  private readonly replicas: number;
  private readonly local: LocalCounters;
  private readonly redis: Redis | undefined;

  constructor(
    {
      redis,
      windowSeconds,
      replicas,
    }: Pick<RateLimitConfig, 'redis' | 'windowSeconds' | 'replicas'>,
    logger: Pick<Logger, 'warn'>,
  ) {
    this.windowMs = windowSeconds * 1_000;
    this.replicas = replicas;
    this.local = new LocalCounters(this.windowMs);
    this.redis = redis && connect(redis, logger);
  }

  /** Charges every budget, or none when one would be exceeded. */
  async take(asked: readonly Budget[]): Promise<Counted> {
    const budgets = asked.map(affordable);
    const shared =
      this.redis && (await takeShared(this.redis, budgets, this.windowMs).catch(() => undefined));
    if (shared) return { ...shared, budgets, isShared: true };
    const own = asked.map((budget) =>
      affordable({ ...budget, limit: shareOf(budget.limit, this.replicas) }),
    );
    return { ...this.local.take(own), budgets: own, isShared: false };
  }

  close(): void {
    this.redis?.disconnect();
  }
}

async function takeShared(
  redis: Redis,
  budgets: readonly Budget[],
  windowMs: number,
): Promise<Taken> {
  const answer: unknown = await redis.eval(
    TAKE,
    budgets.length,
    ...budgets.map(({ counter }) => KEY_PREFIX + counter),
    windowMs,
    ...budgets.flatMap(({ cost, limit }) => [cost, limit]),
  );
  const [exceeded = 0, ...numbers] = Array.isArray(answer) ? answer.map(Number) : [];
  if (numbers.length !== 2 * budgets.length) throw new Error('unexpected answer of Redis');
  const counts = budgets.map((_, index) => {
    const [used = 0, ttl = 0] = numbers.slice(2 * index);
    // Negative where the counter does not exist.
    return { used, msUntilReset: ttl < 0 ? windowMs : ttl };
  });
  return { counts, exceeded: exceeded - 1 };
}

/** Commands fail immediately while Redis is slow or unavailable: a request never waits for it. */
function connect({ url, tlsCa }: RedisConfig, logger: Pick<Logger, 'warn'>): Redis {
  const redis = new Redis(url.current, {
    // The client reads its version from a file beside its code, which a bundle has not.
    disableClientInfo: true,
    commandTimeout: COMMAND_TIMEOUT_MS,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => RECONNECT_MS,
    ...(tlsCa !== undefined && { tls: { ca: tlsCa } }),
  });
  url.onChange((changed) => {
    // Used by the next connection; the open one stays authenticated.
    const { username, password } = new URL(changed);
    redis.options.username = username === '' ? undefined : decodeURIComponent(username);
    redis.options.password = password === '' ? undefined : decodeURIComponent(password);
  });
  redis.on('error', (err: unknown) => {
    logger.warn({ err }, 'Redis connection failed');
  });
  return redis;
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Caller } from '@bascule/identity';
import { ConcurrencyBound } from '../quotas/concurrency-bound.js';
import type { ConcurrencyLimits } from '../quotas/concurrency-bound.js';

/** Time that passes by itself; tests replace it. */
export interface Clock {
  now: () => number;
  delay: (ms: number) => Promise<unknown>;
}

const WAIT_MS = 2_000;
const YOUNG_MS = 10 * 60_000;
/** Allowed clock difference between this service and the one that created the id. */
const CLOCK_DRIFT_MS = 30_000;
/** Waiters of an instance, and of each organisation among them. */
const ID_LIMITS: ConcurrencyLimits = { total: 200, ofOrganisation: 20 };
/** Larger: where most rows never arrive, waiting is the usual case. */
const ARRIVAL_LIMITS: ConcurrencyLimits = { total: 1_000, ofOrganisation: 200 };
/** Doubled after each lookup, so that a wait costs nine lookups. */
const FIRST_PAUSE_MS = 10;

const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Returns the creation time of an id; undefined if it is no UUIDv7. */
export function timeOfUuidV7(id: string): number | undefined {
  const [, high, low] = UUID_V7.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}

function mayStillArrive(id: string, now: number): boolean {
  const madeAt = timeOfUuidV7(id);
  return madeAt !== undefined && madeAt > now - YOUNG_MS && madeAt < now + CLOCK_DRIFT_MS;
}

/**
 * Looks up rows in projections that may lag by milliseconds. Each process of a service has an instance with its own limits.
 */
export class ProjectionWaits {
  private readonly ids = new ConcurrencyBound(ID_LIMITS);
  private readonly arrivals = new ConcurrencyBound(ARRIVAL_LIMITS);

  constructor(
    private readonly clock: Clock = { now: () => Date.now(), delay: (ms) => delay(ms) },
  ) {}

  /**
   * Waits at most 2 s for an unknown id if it is a UUIDv7 of the last ten minutes; any other one is unknown at once.
   * Callers can invent such ids, so the waiters of the instance, of each organisation and of each visitor are limited.
   * @throws ServiceError 503 when the limit is reached, since null would deny an id that may arrive
   */
  async forId<T>(id: string, caller: Caller, lookup: () => Promise<T | null>): Promise<T | null> {
    const found = await lookup();
    if (found !== null || !mayStillArrive(id, this.clock.now())) return found;
    return this.ids.during(
      caller,
      'The id is not known yet, and too many requests wait for such ids. Try again later.',
      () => poll(lookup, this.clock),
    );
  }

  /**
   * Waits at most 2 s for a row without such an id.
   * @throws ServiceError 503 when the limit is reached, since null would deny a row that may arrive
   */
  async forArrival<T>(caller: Caller, lookup: () => Promise<T | null>): Promise<T | null> {
    const found = await lookup();
    if (found !== null) return found;
    return this.arrivals.during(
      caller,
      'Too many requests wait for payments. Try again later.',
      () => poll(lookup, this.clock),
    );
  }
}

async function poll<T>(lookup: () => Promise<T | null>, clock: Clock): Promise<T | null> {
  const until = clock.now() + WAIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    const remaining = until - clock.now();
    if (remaining <= 0) return null;
    await clock.delay(Math.min(pause, remaining));
    const found = await lookup();
    if (found !== null) return found;
  }
}

import { setTimeout as delay } from 'node:timers/promises';

/** Time that passes by itself; tests replace it. */
export interface Clock {
  now: () => number;
  delay: (ms: number) => Promise<unknown>;
}

const WAIT_MS = 2_000;
const YOUNG_MS = 10 * 60_000;
/** Allowed clock difference between this service and the one that created the id. */
const CLOCK_DRIFT_MS = 30_000;
const MAX_WAITERS = 200;
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 100;

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
 * Looks up rows in projections that may lag by milliseconds. One instance per service, with its own limit of waiters.
 */
export class ProjectionWaits {
  private waiters = 0;

  constructor(
    private readonly clock: Clock = { now: () => Date.now(), delay: (ms) => delay(ms) },
  ) {}

  /**
   * Waits at most 2 s for an unknown id if it is a UUIDv7 of the last ten minutes and the limit of waiters allows it.
   * Any other unknown id is unknown at once.
   */
  forId<T>(id: string, lookup: () => Promise<T | null>): Promise<T | null> {
    return this.until(lookup, () => mayStillArrive(id, this.clock.now()));
  }

  /** Waits at most 2 s for a row without such an id, unless too many others wait. */
  forArrival<T>(lookup: () => Promise<T | null>): Promise<T | null> {
    return this.until(lookup, () => true);
  }

  private async until<T>(
    lookup: () => Promise<T | null>,
    mayArrive: () => boolean,
  ): Promise<T | null> {
    const found = await lookup();
    if (found !== null || this.waiters >= MAX_WAITERS || !mayArrive()) return found;
    this.waiters += 1;
    try {
      return await poll(lookup, this.clock);
    } finally {
      this.waiters -= 1;
    }
  }
}

async function poll<T>(lookup: () => Promise<T | null>, clock: Clock): Promise<T | null> {
  const until = clock.now() + WAIT_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    const remaining = until - clock.now();
    if (remaining <= 0) return null;
    await clock.delay(Math.min(pause, remaining));
    const found = await lookup();
    if (found !== null) return found;
  }
}

import { setImmediate } from 'node:timers/promises';
import type { ServiceError } from '@bascule/contracts';
import type { Caller } from '@bascule/identity';
import { describe, expect, it } from '@jest/globals';
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { ProjectionWaits, timeOfUuidV7 } from './projection-waits.js';

/** Finds nothing in the first `misses` lookups. */
function projection(misses: number) {
  const state = { asked: 0 };
  const lookup = async (): Promise<string | null> => {
    state.asked += 1;
    return state.asked > misses ? 'found' : null;
  };
  return { state, lookup };
}

/** Time that passes only in waits: a process that stands still for two seconds fails no test. */
function aClock() {
  let now = Date.now();
  return { now: () => now, delay: (ms: number) => Promise.resolve((now += ms)) };
}

const waits = new ProjectionWaits(aClock());
const callerOf = (orgId: string): Caller => ({
  orgId,
  keyId: 'k',
  kind: 'secret',
  permissions: [],
});
const CALLER = callerOf('organisation');
/** Caller with the publishable key of the same organisation. */
const visitorNamed = (visitor: string): Caller => ({ ...CALLER, kind: 'publishable', visitor });

/** Outcomes of waits for ids that arrive once each of them was admitted or refused. */
async function outcomesOf(callers: readonly Caller[]): Promise<unknown[]> {
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  const limited = new ProjectionWaits({ now: () => Date.now(), delay: () => released });
  const outcomes = callers.map((caller) =>
    limited
      .forId(uuidv7(), caller, projection(1).lookup)
      .catch(({ code }: ServiceError): unknown => code),
  );
  await setImmediate();
  release(undefined);
  return Promise.all(outcomes);
}

describe('waiting for a projection', () => {
  it('finds an existing row with one lookup', async () => {
    const { state, lookup } = projection(0);
    expect(await waits.forId(uuidv7(), CALLER, lookup)).toBe('found');
    expect(state.asked).toBe(1);
  });

  it('waits for a young id that arrives a moment later', async () => {
    const { lookup } = projection(3);
    expect(await waits.forId(uuidv7(), CALLER, lookup)).toBe('found');
  });

  it('gives up after 2 s and nine lookups', async () => {
    const clock = aClock();
    const start = clock.now();
    const { state, lookup } = projection(Infinity);
    expect(await new ProjectionWaits(clock).forId(uuidv7(), CALLER, lookup)).toBeNull();
    expect(clock.now() - start).toBe(2_000);
    expect(state.asked).toBe(9);
  });

  it.each([
    ['is no UUIDv7', uuidv4()],
    ['is no UUID', 'nonsense'],
    ['is older than ten minutes', uuidv7({ msecs: Date.now() - 11 * 60_000 })],
    ['claims to come from the future', uuidv7({ msecs: Date.now() + 3_600_000 })],
  ])('does not wait for an id that %s', async (_, id) => {
    const { state, lookup } = projection(1);
    expect(await waits.forId(id, CALLER, lookup)).toBeNull();
    expect(state.asked).toBe(1);
  });

  it('waits for a row without a time in its id', async () => {
    expect(await waits.forArrival(CALLER, projection(2).lookup)).toBe('found');
  });

  it.each([
    ['an organisation', 20, () => CALLER, CALLER],
    [
      'a service',
      200,
      (index: number) => callerOf(`organisation ${index % 10}`),
      callerOf('another'),
    ],
  ])('limits the waiters of %s', async (_, limit, waiterOf, further) => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const limited = new ProjectionWaits({ now: () => Date.now(), delay: () => released });
    const waiting = Array.from({ length: limit }, (__, index) =>
      limited.forId(uuidv7(), waiterOf(index), projection(1).lookup),
    );
    const id = uuidv7();
    await expect(limited.forId(id, further, projection(1).lookup)).rejects.toMatchObject({
      code: 'unavailable',
      errors: [{ kind: 'unknown', message: expect.stringContaining('Try again') as unknown }],
    });
    expect(await limited.forId(id, further, projection(0).lookup)).toBe('found');
    expect(await limited.forId(uuidv4(), further, projection(1).lookup)).toBeNull();
    release(undefined);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['found']));
    expect(await limited.forId(id, further, projection(1).lookup)).toBe('found');
  });

  it.each<[string, number, (index: number) => Caller, Caller[]]>([
    ['a visitor', 5, () => visitorNamed('stranger'), [visitorNamed('another'), CALLER]],
    ['all publishable keys', 18, (index) => visitorNamed(`visitor ${index}`), [CALLER]],
  ])('limits the waiters of %s to their share', async (_, limit, waiterOf, others) => {
    const waiters = Array.from({ length: limit + 1 }, (__, index) => waiterOf(index));
    expect(await outcomesOf([...waiters, ...others])).toEqual([
      ...Array.from({ length: limit }, () => 'found'),
      'unavailable',
      ...others.map(() => 'found'),
    ]);
  });

  it('leaves secret keys a tenth of the service, whatever publishable keys of many organisations do', async () => {
    const waiters = Array.from({ length: 181 }, (_, index) => ({
      ...visitorNamed(`visitor ${index}`),
      orgId: `organisation ${index % 19}`,
    }));
    expect(await outcomesOf([...waiters, callerOf('another')])).toEqual([
      ...Array.from({ length: 180 }, () => 'found'),
      'unavailable',
      'found',
    ]);
  });

  it('leaves other organisations their waiters, and rows without an id theirs', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const limited = new ProjectionWaits({ now: () => Date.now(), delay: () => released });
    const waiting = Array.from({ length: 20 }, () =>
      limited.forId(uuidv7(), CALLER, projection(1).lookup),
    );
    waiting.push(limited.forId(uuidv7(), callerOf('another'), projection(1).lookup));
    waiting.push(
      ...Array.from({ length: 200 }, () => limited.forArrival(CALLER, projection(1).lookup)),
    );
    release(undefined);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['found']));
  });

  it.each([
    ['an organisation', 200, () => CALLER, CALLER],
    [
      'a service',
      1_000,
      (index: number) => callerOf(`organisation ${index % 10}`),
      callerOf('another'),
    ],
  ])('limits the waiters of %s for rows without an id', async (_, limit, waiterOf, further) => {
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const limited = new ProjectionWaits({ now: () => Date.now(), delay: () => released });
    const waiting = Array.from({ length: limit }, (__, index) =>
      limited.forArrival(waiterOf(index), projection(1).lookup),
    );
    const refused = limited.forArrival(further, projection(1).lookup);
    await expect(refused).rejects.toMatchObject({ code: 'unavailable' });
    expect(await limited.forArrival(further, projection(0).lookup)).toBe('found');
    release(undefined);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['found']));
    expect(await limited.forArrival(further, projection(1).lookup)).toBe('found');
  });

  it('stops waiting when the lookup fails', async () => {
    const lookup = async () => {
      throw new Error('database is gone');
    };
    await expect(waits.forId(uuidv7(), CALLER, lookup)).rejects.toThrow('gone');
  });
});

describe('timeOfUuidV7', () => {
  it('reads the creation time of an id', () => {
    expect(timeOfUuidV7(uuidv7({ msecs: 1_790_000_000_123 }))).toBe(1_790_000_000_123);
    expect(timeOfUuidV7(uuidv4())).toBeUndefined();
  });
});

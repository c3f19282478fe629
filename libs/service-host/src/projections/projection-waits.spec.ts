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

const waits = new ProjectionWaits();

describe('waiting for a projection', () => {
  it('finds an existing row with one lookup', async () => {
    const { state, lookup } = projection(0);
    expect(await waits.forId(uuidv7(), lookup)).toBe('found');
    expect(state.asked).toBe(1);
  });

  it('waits for a young id that arrives a moment later', async () => {
    const { lookup } = projection(3);
    expect(await waits.forId(uuidv7(), lookup)).toBe('found');
  });

  it('gives up after 2 s', async () => {
    const start = Date.now();
    let now = start;
    const clock = {
      now: () => now,
      delay: (ms: number) => Promise.resolve((now += ms)),
    };
    const { state, lookup } = projection(Infinity);
    expect(await new ProjectionWaits(clock).forId(uuidv7(), lookup)).toBeNull();
    expect(now - start).toBe(2_000);
    expect(state.asked).toBeGreaterThan(10);
  });

  it.each([
    ['is no UUIDv7', uuidv4()],
    ['is no UUID', 'nonsense'],
    ['is older than ten minutes', uuidv7({ msecs: Date.now() - 11 * 60_000 })],
    ['claims to come from the future', uuidv7({ msecs: Date.now() + 3_600_000 })],
  ])('does not wait for an id that %s', async (_, id) => {
    const { state, lookup } = projection(1);
    expect(await waits.forId(id, lookup)).toBeNull();
    expect(state.asked).toBe(1);
  });

  it('waits for a row without a time in its id', async () => {
    expect(await waits.forArrival(projection(2).lookup)).toBe('found');
  });

  it('limits the waiters of a service', async () => {
    const waiting = Array.from({ length: 200 }, () => {
      const { lookup } = projection(2);
      return waits.forId(uuidv7(), lookup);
    });
    const oneTooMany = projection(1);
    // After these microtasks the 200 have made their first lookup and wait.
    await Promise.resolve();
    await Promise.resolve();
    expect(await waits.forId(uuidv7(), oneTooMany.lookup)).toBeNull();
    expect(await new ProjectionWaits().forId(uuidv7(), projection(1).lookup)).toBe('found');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['found']));
    expect(await waits.forId(uuidv7(), projection(1).lookup)).toBe('found');
  });

  it('stops waiting when the lookup fails', async () => {
    const lookup = async () => {
      throw new Error('database is gone');
    };
    await expect(waits.forId(uuidv7(), lookup)).rejects.toThrow('gone');
  });
});

describe('timeOfUuidV7', () => {
  it('reads the creation time of an id', () => {
    expect(timeOfUuidV7(uuidv7({ msecs: 1_790_000_000_123 }))).toBe(1_790_000_000_123);
    expect(timeOfUuidV7(uuidv4())).toBeUndefined();
  });
});

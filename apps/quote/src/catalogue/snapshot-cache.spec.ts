import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SnapshotCache } from './snapshot-cache.js';

const FRESH_MS = 1_000;

describe('SnapshotCache', () => {
  let now: number;
  let reads: number;
  let read: () => Promise<{ revision: string }>;
  let recent: SnapshotCache<{ revision: string }>;

  beforeEach(() => {
    now = 1_700_000_000_000;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
    reads = 0;
    read = async () => ({ revision: 'a' });
    recent = new SnapshotCache(() => {
      reads += 1;
      return read();
    }, FRESH_MS);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('reads once while fresh, for all concurrent readers', async () => {
    await Promise.all([recent.get(), recent.get()]);
    now += FRESH_MS;
    await recent.get();
    expect(reads).toBe(1);
  });

  it('keeps the same object while the revision is unchanged', async () => {
    const first = await recent.get();
    now += 2 * FRESH_MS + 1;
    expect(await recent.get()).toBe(first);
    read = async () => ({ revision: 'b' });
    now += 2 * FRESH_MS + 1;
    expect(await recent.get()).toEqual({ revision: 'b' });
    expect(reads).toBe(3);
  });

  it('serves a stale snapshot while reads fail, without waiting each time', async () => {
    await recent.get();
    read = () => Promise.reject(new Error('away'));
    now += 2 * FRESH_MS + 1;
    expect(await recent.get()).toEqual({ revision: 'a' });
    read = () => new Promise(() => undefined);
    expect(await recent.get()).toEqual({ revision: 'a' });
    expect(reads).toBe(3);
  });

  it('fails once the snapshot is too old', async () => {
    await recent.get();
    read = () => Promise.reject(new Error('away'));
    now += 60_001;
    await expect(recent.get()).rejects.toThrow('away');
    read = async () => ({ revision: 'b' });
    expect(await recent.get()).toEqual({ revision: 'b' });
  });
});

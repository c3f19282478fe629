import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { connectClient } from './connect-client.js';
import { Lease, LeaseLostError } from './lease.js';
import {
  PATHS,
  persistenceFixture,
  type PersistenceFixture,
} from './testing/persistence.fixture.js';

describe.each(PATHS)('Lease, connected $path', ({ behindPooler }) => {
  let fixture: PersistenceFixture;
  beforeAll(async () => {
    fixture = await persistenceFixture('leases', { behindPooler });
  });
  afterAll(() => fixture.close());

  const lease = (name: string, holder: string, ttlMs = 60_000): Lease =>
    new Lease({ dataSource: fixture.dataSource, name, holder, ttlMs });

  it('has one holder at a time under contention', async () => {
    const contenders = Array.from({ length: 12 }, (_, index) => lease('raced', `process-${index}`));
    const results = await Promise.all(contenders.map((contender) => contender.acquire()));
    expect(results.filter((held) => held !== null)).toEqual([{ epoch: 1n }]);
  });

  it('keeps its epoch while it is renewed', async () => {
    const held = lease('renewed', 'a');
    expect(await held.acquire()).toEqual({ epoch: 1n });
    expect(await held.renew()).toBe(true);
    expect(await held.renew()).toBe(true);
    expect(await held.acquire()).toEqual({ epoch: 1n });
  });

  it('goes to another when its holder crashes, with a higher epoch', async () => {
    const dead = lease('stolen', 'dead', 3_000);
    await dead.acquire();
    const thief = lease('stolen', 'thief');
    expect(await thief.acquire()).toBeNull();
    await eventually(async () => {
      expect(await thief.acquire()).toEqual({ epoch: 2n });
    });
    expect(await dead.renew()).toBe(false);
  });

  it('gives a new epoch to a holder whose lease expired, although no other had it', async () => {
    const slow = lease('run-out', 'slow', 1);
    await slow.acquire();
    await eventually(async () => {
      expect(await slow.acquire()).toEqual({ epoch: 2n });
    });
  });

  it('is free at once when released', async () => {
    const first = lease('released', 'first');
    await first.acquire();
    await first.release();
    expect(await lease('released', 'second').acquire()).toEqual({ epoch: 2n });
  });

  it('rejects the write of a holder that lost it', async () => {
    const loser = lease('fenced', 'loser', 1);
    const held = await loser.acquire();
    await eventually(async () => {
      expect(await lease('fenced', 'winner').acquire()).not.toBeNull();
    });
    const write = fixture.dataSource.transaction((manager) =>
      loser.assertHeld(manager, held?.epoch ?? 0n),
    );
    await expect(write).rejects.toThrow(LeaseLostError);
    await expect(write).rejects.toMatchObject({
      name: 'LeaseLostError',
      message: 'the lease fenced has another holder',
    });
  });

  it('allows the write of its holder, and no write with an older epoch', async () => {
    const held = lease('written', 'a');
    await held.acquire();
    const write = (epoch: bigint) =>
      fixture.dataSource.transaction((manager) => held.assertHeld(manager, epoch));
    await expect(write(1n)).resolves.toBeUndefined();
    await expect(write(0n)).rejects.toThrow(LeaseLostError);
  });

  it('is neither renewed nor released by a process that does not hold it', async () => {
    const holder = lease('kept', 'holder');
    await holder.acquire();
    const query = jest.spyOn(fixture.dataSource, 'query');
    const other = lease('kept', 'other');
    expect(await other.renew()).toBe(false);
    await other.release();
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
    expect(await other.acquire()).toBeNull();
    expect(await holder.renew()).toBe(true);

    await holder.release();
    expect(await holder.renew()).toBe(false);
    expect(await other.acquire()).toEqual({ epoch: 2n });
  });

  it('ends by the holder’s own clock no later than by that of the database', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000);
    const query = jest.spyOn(fixture.dataSource, 'query');
    const held = lease('clocked', 'a');
    expect(held.isHeld).toBe(false);
    // The answer takes a second of the time of the lease.
    query.mockImplementationOnce(async (...call) => {
      query.mockRestore();
      const rows: unknown = await fixture.dataSource.query(...call);
      now.mockReturnValue(2_000);
      return rows;
    });
    await held.acquire();
    now.mockReturnValue(60_999);
    expect(held.isHeld).toBe(true);
    now.mockReturnValue(61_000);
    expect(held.isHeld).toBe(false);
    expect(await held.renew()).toBe(true);
    now.mockReturnValue(120_999);
    expect(held.isHeld).toBe(true);
    await held.release();
    expect(held.isHeld).toBe(false);
    now.mockRestore();
  });

  it('is renewed on another connection than the pool’s too', async () => {
    const held = lease('on-a-client', 'a');
    await held.acquire();
    const client = await connectClient({ connectionString: fixture.database.url });
    expect(await held.renew(client)).toBe(true);
    await fixture.dataSource.query(
      `UPDATE leases SET epoch = epoch + 1 WHERE name = 'on-a-client'`,
    );
    expect(await held.renew(client)).toBe(false);
    expect(held.isHeld).toBe(false);
    await client.end();
  });

  it('is not asked for again by a holder that lost it', async () => {
    const slow = lease('lost', 'slow', 1);
    await slow.acquire();
    await eventually(async () => {
      expect(await lease('lost', 'next').acquire()).not.toBeNull();
    });
    expect(await slow.renew()).toBe(false);
    const query = jest.spyOn(fixture.dataSource, 'query');
    expect(await slow.renew()).toBe(false);
    expect(query).not.toHaveBeenCalled();
    query.mockRestore();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@bascule/testing';
import { Lease, LeaseLostError } from './lease.js';
import { persistenceFixture, type PersistenceFixture } from './testing/persistence.fixture.js';

describe('Lease', () => {
  let fixture: PersistenceFixture;
  beforeAll(async () => {
    fixture = await persistenceFixture('leases');
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
  });
});

import { aTopic, messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { Lease, type LeaseFence, LeaseLostError } from '@bascule/persistence';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Outbox } from '../outbox/outbox.js';
import { DeadLetters } from '../parked/dead-letters.js';
import type { OutboxRecord } from './outbox-record.js';
import { RefusedRows } from './refused-rows.js';

describe('RefusedRows', () => {
  let fixture: MessagingFixture;
  beforeAll(async () => {
    fixture = await messagingFixture('refused_rows');
  });
  afterAll(() => fixture.close());

  /** Acquires the lease as the next leader. */
  async function nextLeader(holder: string): Promise<LeaseFence> {
    const { dataSource } = fixture;
    await dataSource.query('UPDATE leases SET expires_at = clock_timestamp()');
    const held = await new Lease({ dataSource, name: 'outbox', holder, ttlMs: 60_000 }).acquire();
    return { name: 'outbox', holder, epoch: held?.epoch ?? 0n };
  }

  it('skips a row that another relay has dead-lettered, although its dead letter was replayed', async () => {
    const { dataSource, logger } = fixture;
    const outbox = new Outbox({ source: 'shop', environment: 'test' }, { wake: () => undefined });
    const [first, second] = [1, 2].map(() => new RefusedRows(dataSource, outbox, 'shop', logger));
    const letters = new DeadLetters(dataSource);
    const rows: OutboxRecord[] = await dataSource.query(
      'INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3) RETURNING id, topic, key, envelope',
      [aTopic().name, 'large', '{}'],
    );
    const earlier = await nextLeader('first');
    await first?.deadLetter(rows, 'too large', earlier);
    const [letter] = await letters.list({ limit: 10 });
    expect(await letters.replay(letter?.id ?? '', 'a test')).toBe('done');

    const leader = await nextLeader('second');
    await expect(first?.deadLetter(rows, 'too large', earlier)).rejects.toThrow(LeaseLostError);
    await second?.deadLetter(rows, 'too large', leader);

    expect(await letters.list({ limit: 10 })).toEqual([]);
    const events: unknown[] = await dataSource.query(
      "SELECT 1 FROM outbox WHERE envelope::jsonb ->> 'type' = 'dead-letter.recorded'",
    );
    expect(events).toHaveLength(1);
  });
});

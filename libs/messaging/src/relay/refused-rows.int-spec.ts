import { aTopic, messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
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

  it('skips a row that another relay has dead-lettered, although its dead letter was replayed', async () => {
    const { dataSource, logger } = fixture;
    const outbox = new Outbox({ source: 'shop', environment: 'test' }, { wake: () => undefined });
    const [first, second] = [1, 2].map(() => new RefusedRows(dataSource, outbox, 'shop', logger));
    const letters = new DeadLetters(dataSource);
    const rows: OutboxRecord[] = await dataSource.query(
      'INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3) RETURNING id, topic, key, envelope',
      [aTopic().name, 'large', '{}'],
    );
    await first?.deadLetter(rows, 'too large');
    const [letter] = await letters.list({ limit: 10 });
    expect(await letters.replay(letter?.id ?? '', 'a test')).toBe('done');

    await second?.deadLetter(rows, 'too large');

    expect(await letters.list({ limit: 10 })).toEqual([]);
    const events: unknown[] = await dataSource.query(
      "SELECT 1 FROM outbox WHERE envelope::jsonb ->> 'type' = 'dead-letter.recorded'",
    );
    expect(events).toHaveLength(1);
  });
});

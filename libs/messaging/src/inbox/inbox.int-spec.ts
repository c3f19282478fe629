import { besideTransactions } from '@bascule/testing';
import { messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { createDataSource } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { Inbox } from './inbox.js';
import { dayOf, INBOX_RETENTION_DAYS, partitionName, shiftDay } from './inbox-days.js';
import type { DataSource } from 'typeorm';
import { KeepInboxHorizon1799500000031 } from '../migrations/inbox-horizon.migration.js';
import { DeadLetterRetention } from '../parked/dead-letter-retention.js';
import { InboxPartitions } from './inbox-partitions.js';

describe('Inbox', () => {
  let fixture: MessagingFixture;
  let inbox: Inbox;
  beforeAll(async () => {
    fixture = await messagingFixture('inbox_test');
    inbox = new Inbox(partitions());
  });
  afterAll(() => fixture.close());

  const partitions = (dataSource = fixture.dataSource): InboxPartitions =>
    new InboxPartitions(
      dataSource,
      new ServiceContext({ name: 'test', environment: 'test', logLevel: 'silent' }),
    );

  const event = (daysAgo = 0) => ({
    id: uuidv7(),
    time: `${shiftDay(dayOf(new Date()), -daysAgo)}T12:00:00.000Z`,
  });

  const once = (fact: { id: string; time: string }, effect?: string): Promise<boolean> =>
    // The first event of a day creates its partition by a transaction of its own.
    fixture.dataSource.transaction((manager) =>
      besideTransactions(() => inbox.once(manager, fact, effect)),
    );

  it('accepts an event once, also under concurrent deliveries', async () => {
    const fact = event();
    const results = await Promise.all([once(fact), once(fact), once(fact)]);
    expect(results.filter(Boolean)).toHaveLength(1);
    expect(await once(fact)).toBe(false);
  });

  it('forgets an event whose effect was rolled back', async () => {
    const fact = event();
    const failed = fixture.dataSource.transaction(async (manager) => {
      expect(await inbox.once(manager, fact)).toBe(true);
      throw new Error('the effect failed');
    });
    await expect(failed).rejects.toThrow('the effect failed');
    expect(await once(fact)).toBe(true);
  });

  it('distinguishes several effects of one event', async () => {
    const fact = event();
    expect(await once(fact, 'notify')).toBe(true);
    expect(await once(fact, 'count')).toBe(true);
    expect(await once(fact, 'notify')).toBe(false);
  });

  it('accepts each of many events once, also repeated and concurrent ones', async () => {
    const facts = Array.from({ length: 20 }, (_, n) => event(n % 3));
    const each = (some: typeof facts) =>
      fixture.dataSource.transaction((manager) =>
        besideTransactions(() => inbox.onceEach(manager, some)),
      );
    const [first] = facts;
    if (first === undefined) throw new Error('no fact');
    expect(await once(first)).toBe(true);
    const through = await Promise.all([
      each([...facts, ...facts]),
      each(facts.toReversed()),
      each(facts),
    ]);
    const ids = through.flat().map(({ id }) => id);
    expect(ids.sort()).toEqual(
      facts
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('accepts an event once that is repeated in one batch', async () => {
    const [fact, other] = [event(), event()];
    const repeated = [fact, other, fact, { ...fact, id: fact.id.toUpperCase() }];
    const through = await fixture.dataSource.transaction((manager) =>
      inbox.onceEach(manager, repeated),
    );
    expect(through).toEqual([fact, other]);
  });

  it('accepts an event of some days ago, and rejects one older than its retention', async () => {
    for (const days of [10, 40, INBOX_RETENTION_DAYS]) {
      const fact = event(days);
      expect(await once(fact)).toBe(true);
      expect(await once(fact)).toBe(false);
    }
    await expect(once(event(INBOX_RETENTION_DAYS + 1))).rejects.toThrow(
      /^event of \d{4}-\d\d-\d\d is older than the inbox's 90 days$/,
    );
  });

  it('remembers events for as long as resolved dead letters are kept', async () => {
    const { dataSource } = fixture;
    const resolved = async (daysAgo: number): Promise<void> => {
      await dataSource.query(
        `INSERT INTO dead_letters
           (topic, partition, "offset", key, headers, value, attempts, reason, discarded_at)
         VALUES ('any', 0, $1::integer, 'key', '{}', '', 1, 'any', now() - $1::integer * interval '1 day')`,
        [daysAgo],
      );
    };
    for (const days of [1, INBOX_RETENTION_DAYS + 1]) await resolved(days);
    expect(await new DeadLetterRetention(dataSource).apply()).toBe(1);
    await dataSource.query('TRUNCATE dead_letters');
  });

  it('refuses an event of a day that the version before may have forgotten, until that version is gone', async () => {
    const upgraded = await messagingFixture('inbox_upgraded');
    const { dataSource } = upgraded;
    const [used, fresh] = [new Inbox(partitions(dataSource)), inbox];
    const onceIn = (where: Inbox, source: DataSource, daysAgo: number) =>
      source.transaction((manager) =>
        besideTransactions(() => where.once(manager, event(daysAgo))),
      );
    expect(await onceIn(used, dataSource, 0)).toBe(true);
    await dataSource.query('DROP TABLE inbox_horizon');
    const runner = dataSource.createQueryRunner();
    await new KeepInboxHorizon1799500000031().up(runner);
    await runner.release();

    expect(await onceIn(used, dataSource, 27)).toBe(true);
    await expect(onceIn(used, dataSource, 29)).rejects.toThrow('older than the inbox');
    expect(await onceIn(fresh, fixture.dataSource, 29)).toBe(true);
    await upgraded.close();
  });

  it('creates the partition of a day once although several processes need it', async () => {
    const day = shiftDay(dayOf(new Date()), -5);
    const ensured = await Promise.all([1, 2, 3, 4].map(() => partitions().ensure(day)));
    expect(ensured).toEqual([true, true, true, true]);
  });

  it('drops partitions older than its retention without blocking inserts', async () => {
    const old = partitionName(shiftDay(dayOf(new Date()), -INBOX_RETENTION_DAYS - 2));
    const [from, to] = [-INBOX_RETENTION_DAYS - 2, -INBOX_RETENTION_DAYS - 1].map((days) =>
      shiftDay(dayOf(new Date()), days),
    );
    await fixture.dataSource.query(
      `CREATE TABLE ${old} PARTITION OF inbox FOR VALUES FROM ('${from}') TO ('${to}')`,
    );
    const remaining = (): Promise<unknown[]> =>
      fixture.dataSource.query('SELECT 1 WHERE to_regclass($1) IS NOT NULL', [old]);
    // Its own lock timeout would outlast the open transaction of the handler.
    const patient = await createDataSource({
      database: fixture.database,
      entities: [],
      migrations: [],
      timeouts: { lockMs: 120_000, statementMs: 120_000 },
    }).initialize();
    await fixture.dataSource.transaction(async (manager) => {
      expect(await inbox.once(manager, event())).toBe(true);
      await expect(partitions(patient).maintain()).rejects.toThrow('lock timeout');
    });
    await patient.destroy();
    expect(await remaining()).toHaveLength(1);
    await partitions().maintain();
    expect(await remaining()).toEqual([]);
  });
});

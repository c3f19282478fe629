import { TOPICS, type TopicDefinition } from '@bascule/contracts';
import { aTopic, messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { LeaseLostError } from '@bascule/persistence';
import { eventually, runSql } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { DeadLetters } from '../parked/dead-letters.js';
import { EmbeddedTopics } from '../transport/embedded/embedded-topics.js';
import type { Transport } from '../transport/transport.js';
import { TransportUnavailableError } from '../transport/transport.js';
import { EventTooLargeError, Outbox } from '../outbox/outbox.js';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
import { RefusedRows } from './refused-rows.js';
import { relayMetrics } from './relay-metrics.js';
import { relayChannel, RelayWaker } from '../outbox/relay-waker.js';

const ORIGIN = { source: 'shop', environment: 'test' };
/** Sessions of leading relays. */
const LEADS = `application_name = 'bascule/outbox shop'`;

describe('the outbox and its relay', () => {
  let fixture: MessagingFixture;
  let outbox: Outbox;
  let waker: RelayWaker;
  let topic: TopicDefinition;
  const relays: OutboxRelay[] = [];

  beforeAll(async () => {
    fixture = await messagingFixture('shop');
    waker = new RelayWaker(fixture.dataSource, relayChannel('shop'), fixture.logger);
    outbox = new Outbox(ORIGIN, waker);
    fixture.dataSource.subscribers.push(outbox.subscriber());
    await fixture.dataSource.query(
      'CREATE TABLE things (id text PRIMARY KEY, version int NOT NULL)',
    );
  });
  beforeEach(async () => {
    topic = aTopic();
    await new EmbeddedTopics(fixture.dataSource).apply([topic, ...Object.values(TOPICS)]);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
    await fixture.dataSource.query('TRUNCATE outbox, things, dead_letters');
  });
  afterAll(() => fixture.close());

  function relay(options: Partial<OutboxRelayOptions> = {}): OutboxRelay {
    const created = new OutboxRelay({
      service: 'test',
      database: fixture.database,
      dataSource: fixture.dataSource,
      transport: fixture.transport,
      waker,
      refused: new RefusedRows(fixture.dataSource, outbox, 'shop', fixture.logger),
      metrics: relayMetrics(new Registry(), fixture.dataSource),
      logger: fixture.logger,
      pollMs: 50,
      standbyMs: 50,
      leaseMs: 30_000,
      ...options,
    });
    relays.push(created);
    created.start();
    return created;
  }

  const append = (key: string, version: number, fail = false): Promise<void> =>
    fixture.dataSource.transaction(async (manager) => {
      await manager.query(
        `INSERT INTO things VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET version = excluded.version`,
        [key, version],
      );
      await outbox.append(manager, { topic, type: 'thing.changed', key, data: { version } });
      if (fail) throw new Error('changed its mind');
    });

  const published = async ({ name } = topic): Promise<string[]> => {
    const rows: { key: string; version: number }[] = await fixture.dataSource.query(
      `SELECT key, (convert_from(value, 'UTF8')::jsonb -> 'data' ->> 'version')::int AS version
       FROM event_log.records WHERE topic = $1 ORDER BY partition, "offset"`,
      [name],
    );
    return rows.map((row) => `${row.key}:${row.version}`);
  };

  const waiting = async (): Promise<number> => {
    const rows: { n: number }[] = await fixture.dataSource.query(
      'SELECT count(*)::int AS n FROM outbox',
    );
    return rows[0]?.n ?? 0;
  };

  it('publishes committed events, and no others', async () => {
    relay();
    await append('a', 1);
    await expect(append('a', 2, true)).rejects.toThrow('changed its mind');
    await append('a', 3);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1', 'a:3']);
      expect(await waiting()).toBe(0);
    });
  });

  it('is woken by the commit, long before it would poll', async () => {
    relay({ pollMs: 600_000 });
    await append('a', 1);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1']);
    });
    await append('a', 2);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1', 'a:2']);
    });
  });

  it('is woken through the database when another process leads', async () => {
    const elsewhere = new RelayWaker(fixture.dataSource, relayChannel('shop'), fixture.logger);
    relay({ pollMs: 600_000 });
    await append('a', 1);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1']);
    });
    const row = outbox.outboxRow({ topic, type: 'thing.changed', key: 'a', data: { version: 2 } });
    await fixture.dataSource.query(
      'INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3)',
      [row.topic, row.key, row.envelope],
    );
    elsewhere.wake();
    await eventually(async () => {
      expect(await published()).toEqual(['a:1', 'a:2']);
    });
  });

  it('keeps the order of each key under concurrent writers', async () => {
    relay();
    const keys = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      keys.map(async (key) => {
        for (let version = 1; version <= 15; version += 1) await append(key, version);
      }),
    );
    await eventually(async () => {
      expect(await waiting()).toBe(0);
    });
    const all = await published();
    for (const key of keys) {
      expect(all.filter((entry) => entry.startsWith(key))).toEqual(
        Array.from({ length: 15 }, (_, n) => `${key}:${n + 1}`),
      );
    }
  });

  it('publishes an event whose transaction commits after later ones', async () => {
    relay();
    const slow = fixture.dataSource.createQueryRunner();
    await slow.startTransaction();
    await outbox.append(slow.manager, {
      topic,
      type: 'thing.changed',
      key: 's',
      data: { version: 1 },
    });
    await append('q', 1);
    await eventually(async () => {
      expect(await published()).toEqual(['q:1']);
    });
    await slow.commitTransaction();
    await slow.release();
    await eventually(async () => {
      expect((await published()).sort()).toEqual(['q:1', 's:1']);
    });
  });

  it('leads alone, and another takes over when its connection is cut', async () => {
    relay();
    relay();
    const leaders = async (): Promise<{ pid: number }[]> =>
      fixture.dataSource.query(`SELECT pid FROM pg_stat_activity WHERE ${LEADS}`);
    const before = await eventually(async () => {
      const found = await leaders();
      expect(found).toHaveLength(1);
      return found[0]?.pid;
    });
    await runSql(fixture.adminUrl, `SELECT pg_terminate_backend(${before})`);
    await append('a', 1);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1']);
      const found = await leaders();
      expect(found).toHaveLength(1);
      expect(found[0]?.pid).not.toBe(before);
    });
  });

  it('repeats events rather than losing them when it fails between acknowledgement and delete', async () => {
    let failures = 1;
    const transport: Transport = {
      missingTopics: (topics) => fixture.transport.missingTopics(topics),
      read: (options) => fixture.transport.read(options),
      subscribe: (options) => fixture.transport.subscribe(options),
      close: () => Promise.resolve(),
      publish: async (records, fence) => {
        await fixture.transport.publish(records, fence);
        failures -= 1;
        if (failures >= 0) throw new TransportUnavailableError('the acknowledgement was lost');
      },
    };
    await append('a', 1);
    await append('a', 2);
    relay({ transport });
    await eventually(async () => {
      expect(await waiting()).toBe(0);
    });
    expect(await published()).toEqual(['a:1', 'a:2', 'a:1', 'a:2']);
  });

  const versionsOf = (all: readonly string[], key: string): number[] =>
    all.filter((entry) => entry.startsWith(`${key}:`)).map((entry) => Number(entry.split(':')[1]));

  const withoutRepeats = (versions: readonly number[]): number[] => [...new Set(versions)];

  /** More than one batch, with many facts of each key in each. */
  const appendMany = async (keys: readonly string[], count: number): Promise<void> => {
    await fixture.dataSource.transaction(async (manager) => {
      for (let version = 1; version <= count; version += 1) {
        for (const key of keys) {
          await outbox.append(manager, { topic, type: 'thing.changed', key, data: { version } });
        }
      }
    });
  };

  const publishingBy = (publish: Transport['publish']): Transport => ({
    missingTopics: (topics) => fixture.transport.missingTopics(topics),
    read: (options) => fixture.transport.read(options),
    subscribe: (options) => fixture.transport.subscribe(options),
    close: () => Promise.resolve(),
    publish,
  });

  it('keeps each key in order through many batches, some of which fail before or after they were published', async () => {
    const keys = ['a', 'b', 'c'];
    await appendMany(keys, 700);
    let round = 0;
    relay({
      pollMs: 10,
      transport: publishingBy(async (records, fence) => {
        round += 1;
        if (round === 2) throw new TransportUnavailableError('away');
        await fixture.transport.publish(records, fence);
        if (round === 4) throw new TransportUnavailableError('the acknowledgement was lost');
      }),
    });
    await eventually(async () => {
      expect(await waiting()).toBe(0);
    });
    const all = await published();
    for (const key of keys) {
      expect(withoutRepeats(versionsOf(all, key))).toEqual(
        Array.from({ length: 700 }, (_, n) => n + 1),
      );
    }
    expect(all.length).toBeGreaterThan(2_100);
    expect(all.length).toBeLessThanOrEqual(2_600);
  });

  it('publishes nothing anymore that it was publishing when it lost its leadership', async () => {
    const keys = ['a', 'b'];
    await appendMany(keys, 600);
    let goOn: () => void = () => undefined;
    const delayed = new Promise<void>((resolve) => (goOn = resolve));
    const late: Promise<void>[] = [];
    relay({
      transport: publishingBy((records, fence) => {
        const publish = delayed.then(() => fixture.transport.publish(records, fence));
        late.push(publish);
        return publish;
      }),
    });
    await eventually(() => {
      expect(late).toHaveLength(1);
    });
    relay();
    await runSql(
      fixture.adminUrl,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${LEADS}`,
    );
    await eventually(async () => {
      expect(await waiting()).toBe(0);
    });
    goOn();
    await expect(late[0]).rejects.toThrow(LeaseLostError);
    const all = await published();
    for (const key of keys) {
      expect(versionsOf(all, key)).toEqual(Array.from({ length: 600 }, (_, n) => n + 1));
    }
  });

  it('resigns when it cannot publish, so that another relay can', async () => {
    let tried = 0;
    relay({
      resignAfterMs: 200,
      transport: publishingBy(() => {
        tried += 1;
        return Promise.reject(new TransportUnavailableError('wrong password'));
      }),
    });
    await append('a', 1);
    await eventually(() => {
      expect(tried).toBeGreaterThan(0);
    });
    relay();
    await eventually(async () => {
      expect(await published()).toEqual(['a:1']);
      expect(await waiting()).toBe(0);
    });
  });

  it('leads again when no other relay does', async () => {
    let failures = 8;
    relay({
      resignAfterMs: 100,
      transport: publishingBy(async (records) => {
        failures -= 1;
        if (failures >= 0) throw new TransportUnavailableError('away');
        await fixture.transport.publish(records);
      }),
    });
    await append('a', 1);
    await eventually(
      async () => {
        expect(await published()).toEqual(['a:1']);
      },
      { timeoutMs: 40_000 },
    );
  });

  it('dead-letters rows that the transport rejects, announces them, and continues with the rest', async () => {
    await append('a', 1);
    const note = 'x'.repeat(600_000);
    await fixture.dataSource.query(
      'INSERT INTO outbox (topic, key, envelope) VALUES ($1, $2, $3)',
      [topic.name, 'large', JSON.stringify({ note })],
    );
    await append('b', 1);
    await append('a', 2);
    relay();
    await eventually(async () => {
      expect([...(await published())].sort()).toEqual(['a:1', 'a:2', 'b:1']);
      expect(await waiting()).toBe(0);
    });
    const letters = new DeadLetters(fixture.dataSource);
    const [letter, ...others] = await letters.list({ limit: 10 });
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ topic: topic.name, partition: -1, key: 'large', attempts: 1 });
    expect(letter?.reason).toMatch(/600\d+ bytes/);
    const announced: { n: number }[] = await fixture.dataSource.query(
      `SELECT count(*)::integer AS n FROM event_log.records
       WHERE topic = $1 AND key = $2`,
      [TOPICS.deadLetter.name, `shop/${letter?.id}`],
    );
    expect(announced).toEqual([{ n: 1 }]);
    expect(await letters.show(letter?.id ?? '')).toMatchObject({ value: { note } });
    await Promise.all(relays.splice(0).map((each) => each.stop()));
    expect(await letters.replay(letter?.id ?? '', 'a test')).toBe('done');
    expect(await waiting()).toBe(1);
  });

  it('keeps the events of a missing topic in the outbox, in order, and continues with all other topics', async () => {
    const missing = aTopic();
    const later = async (from: number, to: number): Promise<void> => {
      const rows = Array.from({ length: to - from + 1 }, (_, n) =>
        outbox.outboxRow({
          ...{ topic: missing, type: 'thing.changed', key: 'm' },
          data: { version: from + n },
        }),
      );
      await fixture.dataSource.query(
        'INSERT INTO outbox (topic, key, envelope) SELECT $1, $2, unnest($3::text[])',
        [missing.name, 'm', rows.map(({ envelope }) => envelope)],
      );
    };
    // More than one batch of it is in front.
    await later(1, 1_100);
    await append('a', 1);
    relay();
    await eventually(async () => {
      expect(await published()).toEqual(['a:1']);
    });
    await later(1_101, 1_110);
    await append('a', 2);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1', 'a:2']);
      expect(await waiting()).toBe(1_110);
    });
    await new EmbeddedTopics(fixture.dataSource).apply([missing]);
    await eventually(async () => {
      expect(await waiting()).toBe(0);
    });
    expect(await published(missing)).toEqual(Array.from({ length: 1_110 }, (_, n) => `m:${n + 1}`));
    expect(await new DeadLetters(fixture.dataSource).list({ limit: 1 })).toEqual([]);
  });

  it('rejects an event at append exactly when publishing would reject it', async () => {
    const note = (length: number) => ({
      ...{ topic: TOPICS.price, type: 'price.observed', key: 'usd' },
      data: { version: 1, note: 'x'.repeat(length) },
    });
    const bytes = Buffer.byteLength(outbox.outboxRow(note(0)).envelope) + 'usd'.length;
    const room = TOPICS.price.maxMessageBytes - bytes;
    expect(() => outbox.outboxRow(note(room + 1))).toThrow(EventTooLargeError);
    const { key, envelope } = outbox.outboxRow(note(room));
    await fixture.transport.publish([
      {
        topic: TOPICS.price.name,
        key,
        headers: { traceparent: 'any' },
        value: Buffer.from(envelope),
      },
    ]);
  });

  it('publishes pending events before it stops', async () => {
    const stopping = relay({ pollMs: 600_000 });
    await append('a', 1);
    await eventually(async () => {
      expect(await published()).toEqual(['a:1']);
    });
    await Promise.all([append('a', 2), append('b', 1)]);
    await stopping.stop();
    expect(await waiting()).toBe(0);
  });
});

import type { TopicDefinition } from '@bascule/contracts';
import {
  aTopic,
  behindProxy,
  messagingFixture,
  type MessagingFixture,
  type ProxiedDatabase,
} from '@bascule/messaging-testing';
import { connectClient } from '@bascule/persistence';
import { eventually } from '@bascule/testing';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import type pg from 'pg';
import { Registry } from 'prom-client';
import { Outbox } from '../outbox/outbox.js';
import { relayChannel, RelayWaker } from '../outbox/relay-waker.js';
import { EmbeddedTopics } from '../transport/embedded/embedded-topics.js';
import type { Transport } from '../transport/transport.js';
import { OutboxRelay, type OutboxRelayOptions } from './outbox-relay.js';
import { RefusedRows } from './refused-rows.js';
import { relayMetrics } from './relay-metrics.js';

const KEYS = ['a', 'b', 'c'];
/** Lock by which the previous version leads. */
const OLDER_LOCK = `pg_try_advisory_lock(hashtext('bascule-outbox'), hashtext('led'))`;
const LEASE_MS = 2_000;

describe('the leadership of an outbox', () => {
  let fixture: MessagingFixture;
  let outbox: Outbox;
  let topic: TopicDefinition;
  const relays: OutboxRelay[] = [];
  const closings: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    fixture = await messagingFixture('led');
    outbox = new Outbox({ source: 'led', environment: 'test' }, { wake: () => undefined });
  });
  beforeEach(async () => {
    topic = aTopic();
    await new EmbeddedTopics(fixture.dataSource).apply([topic]);
  });
  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop().catch(() => undefined)));
    for (const close of closings.splice(0)) await close();
    await fixture.dataSource.query('TRUNCATE outbox, leases');
  });
  afterAll(() => fixture.close());

  function relay(options: Partial<OutboxRelayOptions> = {}): OutboxRelay {
    const { dataSource, database, transport, logger } = fixture;
    const created = new OutboxRelay({
      ...{ service: 'test', database, dataSource, transport, logger },
      waker: new RelayWaker(dataSource, relayChannel('led'), logger),
      refused: new RefusedRows(dataSource, outbox, 'led', logger),
      metrics: relayMetrics(new Registry(), dataSource),
      pollMs: 50,
      standbyMs: 50,
      leaseMs: 60_000,
      ...options,
    });
    relays.push(created);
    created.start();
    return created;
  }

  const append = (from: number, to: number): Promise<void> =>
    fixture.dataSource.transaction(async (manager) => {
      for (let version = from; version <= to; version += 1) {
        for (const key of KEYS) {
          await outbox.append(manager, { topic, type: 'thing.changed', key, data: { version } });
        }
      }
    });

  const versionsOf = async (key: string): Promise<number[]> => {
    const rows: { version: number }[] = await fixture.dataSource.query(
      `SELECT (convert_from(value, 'UTF8')::jsonb -> 'data' ->> 'version')::int AS version
       FROM event_log.records WHERE topic = $1 AND key = $2 ORDER BY "offset"`,
      [topic.name, key],
    );
    return rows.map(({ version }) => version);
  };

  const count = async (from: string): Promise<number> => {
    const rows: { n: number }[] = await fixture.dataSource.query(
      `SELECT count(*)::int AS n FROM ${from}`,
    );
    return rows[0]?.n ?? 0;
  };
  const outboxIsEmpty = () =>
    eventually(async () => {
      expect(await count('outbox')).toBe(0);
    });

  const publishingBy = (publish: Transport['publish']): Transport => ({
    missingTopics: (topics) => fixture.transport.missingTopics(topics),
    read: (options) => fixture.transport.read(options),
    subscribe: (options) => fixture.transport.subscribe(options),
    close: () => Promise.resolve(),
    publish,
  });

  async function useProxy(): Promise<ProxiedDatabase> {
    const proxied = await behindProxy(fixture.database);
    closings.push(proxied.close);
    return proxied;
  }

  async function olderReplica(name = 'bascule/relay led'): Promise<pg.Client> {
    const client = await connectClient({
      connectionString: fixture.database.url,
      application_name: name,
    });
    closings.push(() => client.end());
    return client;
  }

  it('goes to another process within the time of the lease when its holder vanishes behind a network that drops packets', async () => {
    const { proxy, database, dataSource } = await useProxy();
    let goOn: () => void = () => undefined;
    const delayed = new Promise<void>((resolve) => (goOn = resolve));
    const late: Promise<void>[] = [];
    const transport = publishingBy((records, fence) => {
      const publish = delayed.then(() => fixture.transport.publish(records, fence));
      late.push(publish);
      return publish;
    });
    relay({ database, dataSource, transport, leaseMs: LEASE_MS });
    await append(1, 200);
    await eventually(() => {
      expect(late).toHaveLength(1);
    });
    proxy.vanish();
    relay();
    await append(201, 210);
    await outboxIsEmpty();
    const leases: unknown[] = await fixture.dataSource.query('SELECT name, epoch FROM leases');
    expect(leases).toEqual([{ name: 'outbox', epoch: '2' }]);

    goOn();
    await expect(late[0]).rejects.toThrow('the lease outbox has another holder');
    const all = Array.from({ length: 210 }, (_, n) => n + 1);
    for (const key of KEYS) expect(await versionsOf(key)).toEqual(all);
  });

  it('ends by the holder’s own clock when the database does not answer anymore', async () => {
    const { proxy, database, dataSource } = await useProxy();
    const metrics = relayMetrics(new Registry(), dataSource);
    const isLeader = async () => (await metrics.leader.get()).values[0]?.value;
    relay({ database, dataSource, metrics, leaseMs: LEASE_MS });
    await eventually(async () => {
      expect(await isLeader()).toBe(1);
    });
    proxy.vanish();
    // Long before the timeout of its queries.
    await eventually(
      async () => {
        expect(await isLeader()).toBe(0);
      },
      { timeoutMs: 12_000 },
    );
  });

  it('is renewed, and asked for by standbys without a connection of their own', async () => {
    relay({ leaseMs: 9_000 });
    const { proxy, database } = await useProxy();
    const standby = { ...database, url: fixture.database.url };
    const before = proxy.accepted;
    const query = jest.spyOn(fixture.dataSource, 'query');
    await eventually(async () => {
      expect(await count('leases')).toBe(1);
    });
    relay({ database: standby });
    relay({ database: standby });
    const attempts = () =>
      query.mock.calls.filter(([sql]) => String(sql).includes('INSERT INTO leases')).length;
    const expiry = async () => {
      const rows: { at: Date }[] = await fixture.dataSource.query(
        'SELECT expires_at AS at FROM leases',
      );
      return rows[0]?.at.getTime() ?? 0;
    };
    const first = await expiry();
    await eventually(async () => {
      expect(attempts()).toBeGreaterThan(20);
      expect(await expiry()).toBeGreaterThan(first);
    });
    query.mockRestore();
    expect(proxy.accepted).toBe(before);
    expect(await fixture.dataSource.query('SELECT epoch FROM leases')).toEqual([{ epoch: '1' }]);
  });

  it('lets no earlier holder delete rows', async () => {
    const metrics = relayMetrics(new Registry(), fixture.dataSource);
    let goOn: () => void = () => undefined;
    const delayed = new Promise<void>((resolve) => (goOn = resolve));
    let isPublishing = false;
    relay({
      metrics,
      transport: publishingBy(async (records, fence) => {
        await fixture.transport.publish(records, fence);
        isPublishing = true;
        await delayed;
      }),
    });
    await append(1, 1);
    await eventually(() => {
      expect(isPublishing).toBe(true);
    });
    await fixture.dataSource.query(`UPDATE leases SET holder = 'another', epoch = epoch + 1`);
    goOn();
    await eventually(async () => {
      expect((await metrics.leader.get()).values[0]?.value).toBe(0);
    });
    expect(await count('outbox')).toBe(KEYS.length);
  });

  describe('while replicas of the previous version run', () => {
    const tryOlderLock = async (client: pg.Client): Promise<boolean> => {
      const { rows } = await client.query<{ locked: boolean }>(`SELECT ${OLDER_LOCK} AS locked`);
      return rows[0]?.locked === true;
    };

    it('is not taken from one of them that leads, until it resigns', async () => {
      const older = await olderReplica();
      expect(await tryOlderLock(older)).toBe(true);
      relay({ leaseMs: LEASE_MS });
      await append(1, 1);
      const renewals = new Set<number>();
      await eventually(async () => {
        const rows: { at: Date }[] = await fixture.dataSource.query(
          'SELECT expires_at AS at FROM leases',
        );
        rows.forEach(({ at }) => renewals.add(at.getTime()));
        expect(renewals.size).toBeGreaterThan(10);
      });
      expect(await count('outbox')).toBe(KEYS.length);
      await older.end();
      await outboxIsEmpty();
    });

    it('cannot be taken by one of them', async () => {
      relay();
      await append(1, 1);
      await outboxIsEmpty();
      expect(await tryOlderLock(await olderReplica())).toBe(false);
    });

    it('is taken from one of them that has vanished', async () => {
      const older = await olderReplica();
      expect(await tryOlderLock(older)).toBe(true);
      relay({ olderLeaderIdleMs: 500 });
      await append(1, 1);
      await outboxIsEmpty();
    });
  });
});

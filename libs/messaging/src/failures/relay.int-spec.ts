import type { TopicDefinition } from '@bascule/contracts';
import {
  aGroup,
  aRelay,
  aTopic,
  behindProxy,
  expectOrderUpToDuplicates,
  type FactHandler,
  fillOutbox,
  publishedVersions,
  useKafka,
  versions,
} from '@bascule/messaging-testing';
import { eventually, runSql } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { OutboxRelay, OutboxRelayOptions } from '../relay/outbox-relay.js';
import { upsertProjection } from '../projections/upsert-projection.js';
import { type Transport, TransportUnavailableError } from '../transport/transport.js';

const KEYS = 20;

describe('a relay that fails while it publishes', () => {
  const use = useKafka();
  const { dataSource, transport, connect, start, create, count, startProcess } = use;
  const relays: OutboxRelay[] = [];

  afterEach(async () => {
    await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  });

  const relay = (over: Transport, options: Partial<OutboxRelayOptions> = {}): void => {
    const created = aRelay(use, over, { leaseMs: 60_000, ...options });
    relays.push(created);
    created.start();
  };

  /** Checks the consumers' results: each version's effect once and in order, projections at the last version. */
  async function expectEffectsOnce(topic: ReturnType<typeof aTopic>, to: number): Promise<void> {
    const effect: FactHandler = (event, inbox) =>
      dataSource().transaction(async (manager) => {
        const { subject, data } = event;
        await upsertProjection(manager, {
          table: 'contract_things',
          key: { thing_id: subject },
          version: data.version,
          columns: { note: {} },
        });
        if (!(await inbox.once(manager, event))) return;
        await manager.query(
          'INSERT INTO contract_effects (event_id, key, version) VALUES ($1, $2, $3)',
          [event.id, subject, data.version],
        );
      });
    const consumer = await start({ group: aGroup(), handlers: { [topic.name]: effect } });
    await eventually(
      async () => {
        expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
      },
      { timeoutMs: 90_000 },
    );
    const rows: { versions: number[] }[] = await dataSource().query(
      'SELECT array_agg(version ORDER BY nth) AS versions FROM contract_effects GROUP BY key',
    );
    expect(rows).toEqual(Array.from({ length: KEYS }, () => ({ versions: versions(to) })));
    const things: { version: number }[] = await dataSource().query(
      'SELECT DISTINCT version FROM contract_things',
    );
    expect(things).toEqual([{ version: to }]);
  }

  /** Publishes half of its first batch, then loses its leadership, and sends the other half once it is replaced. */
  function interrupted(topic: TopicDefinition, lose: () => Promise<unknown>) {
    const real = connect();
    const outcome: { late?: unknown } = {};
    let isFirst = true;
    const transport: Transport = {
      missingTopics: (topics) => real.missingTopics(topics),
      subscribe: (options) => real.subscribe(options),
      read: (options) => real.read(options),
      close: () => real.close(),
      publish: async (records, fence) => {
        if (!isFirst) return real.publish(records, fence);
        isFirst = false;
        const half = Math.floor(records.length / 2);
        await real.publish(records.slice(0, half), fence);
        await lose();
        relay(connect());
        await fillOutbox(dataSource(), topic, { keys: KEYS, from: 21, to: 25 });
        await eventually(async () => {
          expect(await count('outbox')).toBe(0);
        });
        const late = real.publish(records.slice(half), fence);
        outcome.late = await late.catch((error: unknown) => error);
        return late;
      },
    };
    return { transport, outcome };
  }

  async function expectRefused(topic: TopicDefinition, outcome: { late?: unknown }): Promise<void> {
    await eventually(
      () => {
        expect(outcome.late).toBeInstanceOf(TransportUnavailableError);
      },
      { timeoutMs: 90_000 },
    );
    const published = await publishedVersions(transport(), topic);
    expectOrderUpToDuplicates(published, { keys: KEYS, to: 25 });
    for (const own of published.values()) expect(own.at(-1)).toBe(25);
    await expectEffectsOnce(topic, 25);
  }

  // Protection: createFencedProducer in transport/kafka, and a new leader reads from the first id.
  it('keeps the order of each key when it loses its leadership in the middle of a batch, the rest of which arrives late', async () => {
    const topic = aTopic(4);
    await create(topic);
    await fillOutbox(dataSource(), topic, { keys: KEYS, from: 1, to: 20 });
    const { transport: cut, outcome } = interrupted(topic, cutLeader);
    relay(cut);
    await expectRefused(topic, outcome);
  });

  // Protection: Leadership in relay/, whose lease ends although the database keeps the session and its lock.
  it('is replaced, in order and without a loss, when its host vanishes from the network of the database', async () => {
    const topic = aTopic(4);
    await create(topic);
    await fillOutbox(dataSource(), topic, { keys: KEYS, from: 1, to: 20 });
    const { proxy, database, dataSource: pool, close } = await behindProxy(use.database());
    const { transport: cut, outcome } = interrupted(topic, async () => proxy.vanish());
    relay(cut, { database, dataSource: pool, leaseMs: 2_000 });
    await expectRefused(topic, outcome);
    await Promise.all(relays.splice(0).map((each) => each.stop()));
    await close();
  });

  const relayName = () => `bascule/outbox ${use.database().schema}`;
  const relayConnections = (): Promise<unknown[]> =>
    dataSource().query('SELECT pid FROM pg_stat_activity WHERE application_name = $1', [
      relayName(),
    ]);

  async function cutLeader(): Promise<void> {
    await runSql(
      use.adminUrl(),
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '${relayName()}'`,
    );
  }

  // Protection: the delete comes after the acknowledgement (OutboxRelay.publishAll), so that the next relay repeats.
  it('loses nothing and repeats what was not deleted when its process is killed between publishing and deleting', async () => {
    const topic = aTopic(4);
    await create(topic);
    await fillOutbox(dataSource(), topic, { keys: KEYS, from: 1, to: 75 });
    const plan = { group: 'relay', topics: [], workMs: 0, relays: true };
    const killed = await startProcess(plan, {
      FAULT_POINTS_ARMED: '1',
      FAULT_POINT: 'outbox.published:2',
    });
    expect(await killed.ended).toBe('SIGKILL');
    // A statement outlives the client that sent it: the delete of the first batch may still be running.
    await eventually(async () => {
      expect(await relayConnections()).toEqual([]);
    });
    const left = await count('outbox');
    expect(left).toBeGreaterThanOrEqual(1_000);
    relay(connect());
    await eventually(async () => {
      expect(await count('outbox')).toBe(0);
    });
    const published = await publishedVersions(transport(), topic);
    // Two batches were acknowledged; what was not deleted of them comes again.
    expect([...published.values()].flat().length).toBeGreaterThanOrEqual(1_000 + left);
    expectOrderUpToDuplicates(published, { keys: KEYS, to: 75 });
    await expectEffectsOnce(topic, 75);
  });
});

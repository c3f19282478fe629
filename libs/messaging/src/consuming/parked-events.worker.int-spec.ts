import {
  aFact,
  aTopic,
  ENVIRONMENT,
  messagingFixture,
  type MessagingFixture,
} from '@bascule/messaging-testing';
import { ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { consumerMetrics } from './consumer-metrics.js';
import type { Dispatch } from './event-processor.js';
import { InfrastructureError } from '../errors/infrastructure-error.js';
import { Outbox } from '../outbox/outbox.js';
import { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import { type ClaimedRow, ParkedEventsRepository } from '../parked/parked-events.repository.js';
import { ParkedEventsWorker } from './parked-events.worker.js';
import { aTopicBreaker } from './testing/topic-breaker.fixture.js';

/** Longer than the delays of a busy machine. */
const LEASE_MS = 5_000;
const topic = aTopic(1);

describe('ParkedEventsWorker', () => {
  let fixture: MessagingFixture;
  let parked: ParkedEventsRepository;
  const started: ServiceContext[] = [];
  const stop = () => Promise.all(started.splice(0).map(({ shutdown }) => shutdown.run(10_000)));
  beforeAll(async () => {
    fixture = await messagingFixture('parked_worker_test');
    parked = new ParkedEventsRepository(fixture.dataSource);
  });
  afterEach(async () => {
    await stop();
    await fixture.dataSource.query('TRUNCATE parked_events, dead_letters');
  });
  afterAll(() => fixture.close());

  /** Process that retries parked events. */
  function start(dispatch: Dispatch): void {
    const context = new ServiceContext({
      name: 'test',
      environment: ENVIRONMENT,
      logLevel: 'silent',
    });
    const origin = { source: 'test', environment: ENVIRONMENT };
    const breaker = aTopicBreaker(fixture.dataSource, topic.name);
    context.shutdown.add('work', 'breaker', () => {
      breaker.stop();
      return breaker.drain();
    });
    new ParkedEventsWorker({
      breaker,
      dispatch,
      expectationOf: () => ({ environment: ENVIRONMENT, topic }),
      parked,
      deadLetters: new DeadLetterWriter(new Outbox(origin, { wake: () => undefined }), 'test'),
      retryDelaysMs: [],
      metrics: consumerMetrics(context.metrics),
      context,
      dataSource: fixture.dataSource,
      pollMs: 50,
      leaseMs: LEASE_MS,
    }).start();
    started.push(context);
  }

  it('keeps the lease of an event while its handler runs, and the next of its key waits', async () => {
    for (const version of [1, 2]) {
      const value = Buffer.from(JSON.stringify(aFact(topic, 'key', version)));
      await parked.park(
        {
          topic: topic.name,
          partition: 0,
          offset: BigInt(version),
          key: 'key',
          headers: {},
          value,
        },
        { attempts: 0, reason: 'replayed', delayMs: 0, group: null },
      );
    }
    const calls: string[] = [];
    const slow: Dispatch = async ({ data }) => {
      const { version } = data as { version: number };
      calls.push(`${version} begins`);
      if (version === 1) await delay(2 * LEASE_MS);
      calls.push(`${version} ends`);
    };
    start(slow);
    start(slow);
    await eventually(async () => {
      expect(await fixture.dataSource.query('SELECT 1 FROM parked_events')).toEqual([]);
    });
    await stop();
    expect(calls).toEqual(['1 begins', '1 ends', '2 begins', '2 ends']);
  });

  const park = (key: string, offset: bigint) =>
    parked.park(
      {
        topic: topic.name,
        partition: 0,
        offset,
        key,
        headers: {},
        value: Buffer.from(JSON.stringify(aFact(topic, key, 1))),
      },
      { attempts: 1, reason: 'failed', delayMs: 0, group: 'an organisation' },
    );

  it('counts a timeout in the database as a failed attempt, so that an event does not hold its slot for ever', async () => {
    // As many as there are slots.
    for (const offset of [1n, 2n, 3n, 4n]) await park(`slow ${offset}`, offset);
    await park('fast', 5n);
    const handled: string[] = [];
    start(async (_, { key }) => {
      if (key !== 'fast') {
        await fixture.dataSource.transaction(async (manager) => {
          await manager.query(`SET LOCAL statement_timeout = '1ms'`);
          await manager.query('SELECT pg_sleep(60)');
        });
      }
      handled.push(key ?? '');
    });
    await eventually(async () => {
      expect(await fixture.dataSource.query('SELECT 1 FROM parked_events')).toEqual([]);
    });
    await stop();
    expect(handled).toEqual(['fast']);
    const reason = expect.stringContaining('statement timeout');
    expect(
      await fixture.dataSource.query('SELECT attempts, reason FROM dead_letters ORDER BY key'),
    ).toEqual(Array(4).fill({ attempts: 2, reason }));
  });

  it('counts no attempt while infrastructure is unavailable', async () => {
    await park('away', 6n);
    let calls = 0;
    start(() => {
      calls += 1;
      return Promise.reject(new InfrastructureError('the ledger is away'));
    });
    await eventually(() => expect(calls).toBeGreaterThanOrEqual(1));
    await stop();
    expect(await fixture.dataSource.query('SELECT attempts, reason FROM parked_events')).toEqual([
      { attempts: 1, reason: 'failed' },
    ]);
  });

  it('does not touch a row that another process has claimed meanwhile', async () => {
    const value = Buffer.from(JSON.stringify(aFact(topic, 'other', 1)));
    await parked.park(
      { topic: topic.name, partition: 0, offset: 9n, key: 'other', headers: {}, value },
      { attempts: 0, reason: 'replayed', delayMs: 60_000, group: null },
    );
    const [row]: [ClaimedRow] = await fixture.dataSource.query(
      `SELECT *, "offset"::text, '2020-01-01 00:00:00+00' AS "claimedUntil" FROM parked_events`,
    );
    const written: string[] = [];
    await parked.remove(row);
    await parked.postpone(row, 0, 'late');
    await parked.giveUp(row, () => Promise.resolve(void written.push('given up')));
    expect(await parked.renew(row, LEASE_MS)).toBe(false);
    expect(written).toEqual([]);
    expect(await fixture.dataSource.query('SELECT attempts, reason FROM parked_events')).toEqual([
      { attempts: 0, reason: 'replayed' },
    ]);
  });
});

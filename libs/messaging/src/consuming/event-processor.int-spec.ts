import {
  aFact,
  aTopic,
  ENVIRONMENT,
  messagingFixture,
  type MessagingFixture,
} from '@bascule/messaging-testing';
import { ServiceContext } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { UnacceptableRecordError } from '../envelope/parse-envelope.js';
import { Outbox } from '../outbox/outbox.js';
import { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import { ParkedEventsRepository } from '../parked/parked-events.repository.js';
import type { IncomingRecord } from '../transport/transport.js';
import { consumerMetrics } from './consumer-metrics.js';
import { type Dispatch, EventProcessor } from './event-processor.js';
import { PauseGate, StoppedError } from '../records/pause-gate.js';
import { aTopicBreaker } from './testing/topic-breaker.fixture.js';
import type { TopicBreaker } from './topic-breaker.js';

const topic = aTopic(1);
let offsets = 0n;
const breakers: TopicBreaker[] = [];

const stopBreaker = async (breaker: TopicBreaker): Promise<void> => {
  breaker.stop();
  await breaker.drain();
};

const aRecord = (version: number, rest: Partial<IncomingRecord> = {}): IncomingRecord => ({
  topic: topic.name,
  partition: 0,
  offset: offsets++,
  key: 'key',
  headers: {},
  value: Buffer.from(JSON.stringify(aFact(topic, 'key', version))),
  ...rest,
});

describe('EventProcessor', () => {
  let fixture: MessagingFixture;
  beforeAll(async () => {
    fixture = await messagingFixture('processor_test');
  });
  afterEach(async () => {
    await Promise.all(breakers.splice(0).map(stopBreaker));
    await fixture.dataSource.query('TRUNCATE dead_letters, parked_events, outbox');
  });
  afterAll(() => fixture.close());

  function aProcessor(dispatch: Dispatch, contentionLimitMs = 60_000, gate = new PauseGate()) {
    const { dataSource, logger } = fixture;
    const { metrics } = new ServiceContext({
      name: 'test',
      environment: ENVIRONMENT,
      logLevel: 'silent',
    });
    const outbox = new Outbox(
      { source: 'test', environment: ENVIRONMENT },
      { wake: () => undefined },
    );
    const breaker = aTopicBreaker(dataSource, topic.name);
    breakers.push(breaker);
    return new EventProcessor({
      dispatch,
      expectationOf: () => ({ environment: ENVIRONMENT, topic }),
      parked: new ParkedEventsRepository(dataSource),
      deadLetters: new DeadLetterWriter(outbox, 'test'),
      dataSource,
      gate,
      breaker,
      retryDelaysMs: [60_000],
      contentionLimitMs,
      metrics: consumerMetrics(metrics),
      logger,
    });
  }

  const failing: Dispatch = () => Promise.reject(new Error('no such leg'));

  const take = async (processor: EventProcessor, ...records: IncomingRecord[]): Promise<void> => {
    await processor.prepare({ topic: topic.name, partition: 0, records });
    for (const record of records) await processor.process(record);
  };

  const rowsOf = (table: string, columns: string): Promise<unknown[]> =>
    fixture.dataSource.query(`SELECT ${columns} FROM ${table} ORDER BY id`);

  it.each<[string, Partial<IncomingRecord>, string]>([
    ['with U+0000 in its key', { key: 'a\u0000b' }, 'a\ufffdb'],
    ['with U+0000 in a header', { headers: { 'a\u0000': 'b\u0000' } }, 'key'],
    ['without a key', { key: null }, ''],
  ])(
    'parks a failing record %s, and queues later ones of its key behind it',
    async (_, rest, key) => {
      await take(aProcessor(failing), aRecord(1, rest));
      // Another process learns of the queue only from the database.
      let handled = 0;
      const another = aProcessor(() => Promise.resolve(void (handled += 1)));
      await take(another, aRecord(2, rest));
      expect(await rowsOf('parked_events', 'key, attempts')).toEqual([
        { key, attempts: 1 },
        { key, attempts: 0 },
      ]);
      expect(handled).toBe(0);
    },
  );

  it('dead-letters a record whose key is too long for an index', async () => {
    await take(aProcessor(failing), aRecord(1, { key: 'k'.repeat(100_000) }));
    expect(await rowsOf('dead_letters', 'length(key) AS length, reason')).toEqual([
      { length: 100_000, reason: 'key exceeds 1024 bytes' },
    ]);
  });

  it('counts no attempt during database contention, up to a limit', async () => {
    let contended = 2;
    const deadlock: Dispatch = async () => {
      if (contended-- > 0) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    };
    await take(aProcessor(deadlock), aRecord(1));
    expect(await rowsOf('parked_events', 'attempts')).toEqual([]);
    // A statement that never ends must not block all other events.
    contended = Infinity;
    await take(aProcessor(deadlock, 100), aRecord(2));
    expect(await rowsOf('parked_events', 'attempts')).toEqual([{ attempts: 1 }]);
  });

  it('lets one event wait after a deadlock or timeout, while the handlers of all others go on', async () => {
    const gate = new PauseGate();
    const pause = jest.spyOn(gate, 'pause');
    let attempts = 0;
    const handled: string[] = [];
    const processor = aProcessor(
      async (_, { key }) => {
        if (key === 'contended') {
          attempts += 1;
          await fixture.dataSource.transaction(async (manager) => {
            await manager.query(`SET LOCAL statement_timeout = '1ms'`);
            await manager.query('SELECT pg_sleep(60)');
          });
        }
        handled.push(key ?? '');
      },
      60_000,
      gate,
    );
    const contended = take(processor, aRecord(1, { key: 'contended' }));
    await eventually(() => expect(attempts).toBeGreaterThanOrEqual(2));
    await take(processor, aRecord(2, { key: 'another' }));
    expect(handled).toEqual(['another']);
    expect(pause).not.toHaveBeenCalled();
    gate.stop();
    await expect(contended).rejects.toThrow(StoppedError);
  });

  it('dead-letters at once what its handler rejects as unacceptable', async () => {
    const tooOld: Dispatch = () => Promise.reject(new UnacceptableRecordError('too old'));
    await take(aProcessor(tooOld), aRecord(1));
    expect(await rowsOf('dead_letters', 'reason')).toEqual([{ reason: 'too old' }]);
    expect(await rowsOf('parked_events', 'id')).toEqual([]);
  });

  it('parks an event although one with the same offset of an earlier log is parked', async () => {
    const offset = 7_777n;
    await take(aProcessor(failing), aRecord(1, { offset }), aRecord(2, { offset }));
    const again = aRecord(3, { offset });
    await take(aProcessor(failing), again, again);
    expect(await rowsOf('parked_events', 'attempts')).toHaveLength(3);
  });

  it('dead-letters a record that can be neither handled nor parked, and continues', async () => {
    const { dataSource } = fixture;
    await dataSource.query(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'not this one'; END $$`,
    );
    await dataSource.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON parked_events FOR EACH ROW
       WHEN (NEW.key = 'cursed') EXECUTE FUNCTION refuse()`,
    );
    await take(aProcessor(failing), aRecord(1, { key: 'cursed' }), aRecord(2));
    expect(await rowsOf('dead_letters', 'key, reason')).toEqual([
      { key: 'cursed', reason: expect.stringContaining('not this one') },
    ]);
    expect(await rowsOf('parked_events', 'key')).toEqual([{ key: 'key' }]);
  });
});

import { aFact, aTopic, messagingFixture, type MessagingFixture } from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ParkedEventsRepository } from '../parked/parked-events.repository.js';
import { TopicPausesRepository } from '../parked/topic-pauses.repository.js';
import { StoppedError } from '../records/pause-gate.js';
import { aTopicBreaker } from './testing/topic-breaker.fixture.js';
import type { BreakerTuning, TopicBreaker } from './topic-breaker.js';

const declared = aTopic(1);
const topic = declared.name;
const NEVER = new AbortController().signal;

describe('TopicBreaker', () => {
  let fixture: MessagingFixture;
  const breakers: TopicBreaker[] = [];
  beforeAll(async () => {
    fixture = await messagingFixture('breaker_test');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    for (const breaker of breakers.splice(0)) {
      breaker.stop();
      await breaker.drain();
    }
    await fixture.dataSource.query('TRUNCATE parked_events, topic_pauses');
  });
  afterAll(() => fixture.close());

  /** Another process of the service, once it has read the database. */
  async function open(tuning?: Partial<BreakerTuning>, pollMs?: number): Promise<TopicBreaker> {
    const breaker = aTopicBreaker(fixture.dataSource, topic, tuning, pollMs);
    breakers.push(breaker);
    await eventually(() => breaker.pass('unpaused', NEVER));
    return breaker;
  }

  const park = async (group: string, key: string): Promise<void> => {
    const value = Buffer.from(JSON.stringify(aFact(declared, key, 1)));
    await new ParkedEventsRepository(fixture.dataSource).park(
      { topic, partition: 0, offset: 1n, key, headers: {}, value },
      { attempts: 1, reason: 'Error: bad deploy', delayMs: 0, group },
    );
  };

  const fail = (breaker: TopicBreaker, group: string, key: string): Promise<boolean> =>
    breaker.failed({ topic, group, key }, 'Error: bad deploy');

  const failMost = async (breaker: TopicBreaker): Promise<void> => {
    for (let n = 0; n < 8; n += 1) await fail(breaker, `group ${n % 4}`, `key ${n}`);
    expect(breaker.isPaused(topic)).toBe(true);
  };

  it('counts the failures from before a restart, by the parked events', async () => {
    for (let n = 0; n < 7; n += 1) await park(`group ${n % 2}`, `key ${n}`);
    const breaker = await open();
    expect(breaker.isPaused(topic)).toBe(false);
    expect(await fail(breaker, 'group 1', 'another')).toBe(true);
    expect(breaker.isPaused(topic)).toBe(true);
  });

  it('counts parked events of one organisation, or of older versions, at their share', async () => {
    for (let n = 0; n < 50; n += 1) await park('group 1', `key ${n}`);
    await fixture.dataSource.query(
      'UPDATE parked_events SET failure_group = NULL WHERE id % 2 = 0',
    );
    const breaker = await open();
    await breaker.succeeded({ topic, group: 'group 2', key: 'honest' }, 'open');
    expect(await fail(breaker, 'group 1', 'another')).toBe(false);
  });

  it('no longer counts keys whose parked event any process has handled or dead-lettered', async () => {
    const breaker = await open();
    for (let n = 0; n < 7; n += 1) await fail(breaker, `group ${n % 3}`, `key ${n}`);
    for (let n = 0; n < 3; n += 1) await park(`group ${n}`, `key ${n}`);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000);
    // Only three of the seven are still parked.
    expect(await fail(breaker, 'group 2', 'another')).toBe(false);
    for (let n = 3; n < 6; n += 1) await fail(breaker, `group ${n % 3}`, `key ${n}`);
    expect(breaker.isPaused(topic)).toBe(false);
    expect(await fail(breaker, 'group 0', 'key 6')).toBe(true);
  });

  it('goes on while two organisations fail, however many their keys, and a third one is known', async () => {
    const breaker = await open();
    await breaker.succeeded({ topic, group: 'honest', key: 'its key' }, 'open');
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 600_000);
    for (let n = 0; n < 100; n += 1) {
      for (const group of ['attacker', 'accomplice']) {
        await park(group, `${group} ${n}`);
        expect(await fail(breaker, group, `${group} ${n}`)).toBe(false);
      }
    }
  });

  it('sees the pause of another process before it would count an attempt', async () => {
    const late = await open({}, 3_600_000);
    await failMost(await open());
    expect(late.isPaused(topic)).toBe(false);
    expect(await fail(late, 'group 1', 'key of its own')).toBe(true);
    expect(late.isPaused(topic)).toBe(true);
  });

  it('starts paused, and keeps events waiting until their partition is released', async () => {
    await new TopicPausesRepository(fixture.dataSource).pause(topic, 'Error: bad deploy');
    const breaker = await open();
    const released = new AbortController();
    const waiting = breaker.pass(topic, released.signal);
    released.abort();
    await expect(waiting).rejects.toThrow(StoppedError);
    const another = breaker.pass(topic, NEVER);
    breaker.stop();
    await expect(another).rejects.toThrow(StoppedError);
  });

  it('tries another waiting event at each probe, and resumes everywhere when one succeeds', async () => {
    const [breaker, replica] = [await open({ firstProbeMs: 1, longestProbeMs: 1 }), await open()];
    await failMost(breaker);
    const tried: string[] = [];
    const run = async (key: string): Promise<void> => {
      while ((await breaker.pass(topic, NEVER)) === 'probe') {
        tried.push(key);
        if (key === 'good') await breaker.succeeded({ topic, group: 'group 9', key }, 'probe');
        else await fail(breaker, 'group 1', key);
      }
    };
    await Promise.all(['bad 1', 'bad 2', 'bad 3', 'bad 4', 'good'].map(run));
    expect(tried.indexOf('good')).toBeLessThanOrEqual(5);
    await eventually(() => {
      expect(replica.isPaused(topic)).toBe(false);
    });
    expect(await fixture.dataSource.query('SELECT 1 FROM topic_pauses')).toEqual([]);
    // The failures from before no longer count.
    for (const each of [breaker, replica]) expect(await fail(each, 'group 1', 'k')).toBe(false);
  });

  it('probes the oldest parked event of each organisation, however many one of them has', async () => {
    for (let n = 0; n < 100; n += 1) await park('attacker', `crafted ${n}`);
    await park('other', 'honest');
    const parked = new ParkedEventsRepository(fixture.dataSource);
    const keys = async () => (await parked.claimProbes(topic, 2, 60_000)).map(({ key }) => key);
    expect((await keys()).sort()).toEqual(['crafted 0', 'honest']);
    // Claimed ones are being tried.
    expect(await keys()).toEqual(['crafted 1']);
  });
});

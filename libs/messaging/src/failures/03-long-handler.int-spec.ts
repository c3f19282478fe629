import { aFact, aGroup, aTopic, useKafka } from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';

/** Session timeout that a busy machine does not exceed. */
const SESSION_MS = 5_000;

describe('failure 3: heartbeats only between messages, so a long handler is evicted and redelivered forever', () => {
  const { start, create, publish } = useKafka({
    sessionTimeoutMs: SESSION_MS,
    heartbeatIntervalMs: 500,
  });

  // Protection: the client's loop never waits for a handler (Membership.take in transport/kafka/ hands the batch over and
  // returns), so that it goes on sending heartbeats. A minute's handler and a session of 10 s are the same in seconds.
  it('runs a handler of three session timeouts once, with another member ready to take its partition', async () => {
    const topic = aTopic(1);
    const group = aGroup();
    await create(topic);
    const begun: string[] = [];
    const handled: string[] = [];
    const handlers = {
      [topic.name]: async ({ subject }: { subject: string }): Promise<void> => {
        begun.push(subject);
        if (subject === 'long') await delay(3 * SESSION_MS);
        handled.push(subject);
      },
    };
    const members = [await start({ group, handlers }), await start({ group, handlers })];
    // Joins before the handler starts: a later member could be assigned its partition and handle the record again.
    await eventually(async () => {
      for (const { context } of members) {
        expect((await context.health.evaluateReady()).checks.events).toBe(true);
      }
    });
    await publish(topic, aFact(topic, 'long', 1));
    await eventually(() => {
      expect(handled).toEqual(['long']);
    });
    await publish(topic, aFact(topic, 'next', 1));
    await eventually(() => {
      expect(handled).toEqual(['long', 'next']);
    });
    expect(begun).toEqual(['long', 'next']);
  });
});

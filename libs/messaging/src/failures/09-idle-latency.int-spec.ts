import type { EventEnvelope } from '@bascule/contracts';
import { aFact, aTopic, Stopwatch, useKafka, versions } from '@bascule/messaging-testing';
import { describe, expect, it } from '@jest/globals';
import { bestWindow, eventually } from '@bascule/testing';
import { setTimeout as delay } from 'node:timers/promises';

describe('failure 9: the default fetch wait adds latency', () => {
  const { transport, start, create, publish } = useKafka();

  // Protection: an event is handled when its batch arrives, not when a fetch of other partitions ends (Membership.take in
  // transport/kafka/), and a relay or consumer waits for nothing else.
  it('handles an event on an idle system within 50 ms (p99)', async () => {
    const topics = [aTopic(4), aTopic(4)];
    await create(...topics);
    const stopwatch = new Stopwatch(transport);
    const handle = async (event: EventEnvelope): Promise<void> => {
      stopwatch.handled(event);
    };
    await start({ handlers: Object.fromEntries(topics.map(({ name }) => [name, handle])) });
    const facts = versions(30).flatMap((key) =>
      topics.map((topic) => ({ topic, key: `key-${key}` })),
    );
    const window = { pauseMs: 20, limitMs: 50 };
    await stopwatch.window(facts.slice(0, 10), window);
    const share = await bestWindow(() => stopwatch.window(facts, window), { goodEnough: 1 });
    expect(share).toBeLessThanOrEqual(1);
  });

  // Protection: DEFAULT_TUNING.maxWaitMs in transport/kafka/kafka-tuning.ts. A partition that was full is fetched again only
  // when the fetch of the idle ones has ended: with the client's default that is 5 s for each time it was full.
  it('resumes a full partition at once while the others are idle', async () => {
    const [busy, idle] = [aTopic(1), aTopic(4)] as const;
    await create(busy, idle);
    let handled = 0;
    const handle = async (): Promise<void> => {
      await delay(5);
      handled += 1;
    };
    await start({ handlers: { [busy.name]: handle, [idle.name]: handle } });
    const burst = async (): Promise<number> => {
      const until = handled + 600;
      const started = performance.now();
      for (const batch of versions(12)) {
        await publish(busy, ...versions(50).map((n) => aFact(busy, `key-${batch}-${n}`, 1)));
      }
      await eventually(
        () => {
          expect(handled).toBe(until);
        },
        { timeoutMs: 40_000, intervalMs: 10 },
      );
      return performance.now() - started;
    };
    await burst();
    // Eight at a time, 5 ms each: 375 ms of work.
    expect(await bestWindow(burst, { goodEnough: 4_000, windows: 10 })).toBeLessThanOrEqual(4_000);
  }, 600_000);
});

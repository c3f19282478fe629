import type { EventEnvelope } from '@bascule/contracts';
import { aFact, aTopic, Stopwatch, useKafka, versions } from '@bascule/messaging-testing';
import { bestWindow } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';

describe('failure 2: one slow message or topic blocks the others', () => {
  const { transport, start, create, publish } = useKafka();

  // Protection: keys run concurrently in a queue per topic (KeyedQueue.startReady, RecordConsumer.queueOf in consuming/), and
  // a partition that is full pauses alone (PartitionFeed.offer in transport/kafka/).
  it('keeps the p99 of a fast topic, and of the slow topic’s other keys, within 100 ms beside a stuck handler', async () => {
    const [slow, fast] = [aTopic(1), aTopic(1)] as const;
    await create(slow, fast);
    let free: () => void = () => undefined;
    const stuck = new Promise<void>((resolve) => (free = resolve));
    const stopwatch = new Stopwatch(transport);
    const handle = async (event: EventEnvelope): Promise<void> => {
      if (event.subject === 'stuck') await stuck;
      stopwatch.handled(event);
    };
    await start({ handlers: { [slow.name]: handle, [fast.name]: handle } });
    const shareOf = (facts: { topic: typeof slow; key: string }[]) =>
      bestWindow(() => stopwatch.window(facts, { pauseMs: 5, limitMs: 100 }), {
        goodEnough: 1,
      });
    const keysOf = (topic: typeof slow, count: number) =>
      versions(count).map((key) => ({ topic, key: `key-${key}` }));
    try {
      await publish(slow, aFact(slow, 'stuck', 1));
      // The windows together hold fewer records than may be in flight.
      expect(await shareOf(keysOf(slow, 4))).toBeLessThanOrEqual(1);

      // More than the limit: from now on only the slow topic waits.
      await publish(slow, ...versions(500).map((version) => aFact(slow, 'stuck', version + 1)));
      expect(await shareOf(keysOf(fast, 100))).toBeLessThanOrEqual(1);
    } finally {
      free();
    }
  });
});

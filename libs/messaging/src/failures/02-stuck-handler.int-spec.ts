import type { EventEnvelope } from '@bascule/contracts';
import { aFact, aTopic, useKafka, versions } from '@bascule/messaging-testing';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';

/** Handlers that run at once, as `anEventServer` sets. */
const CONCURRENCY = 8;
/** More than the records that may be in flight, and than one fetch may buffer behind them. */
const BACKLOG = 60;

describe('failure 2: one slow message or topic blocks the others', () => {
  // A session longer than the test: a client that waits for a handler is not freed by a rebalance.
  const { start, create, publish } = useKafka({ sessionTimeoutMs: 600_000 });

  // Protection: keys run concurrently in a queue per topic (KeyedQueue.startReady, RecordConsumer.queueOf in records/), and
  // a partition that is full pauses alone (Membership.take, PartitionFeed.offer in transport/kafka/).
  it('handles the slow topic’s other keys, and another topic, while handlers are still stuck', async () => {
    const [slow, fast] = [aTopic(1), aTopic(1)] as const;
    await create(slow, fast);
    let free: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (free = resolve));
    const begun: string[] = [];
    const handled: string[] = [];
    const handle = async ({ subject }: EventEnvelope): Promise<void> => {
      begun.push(subject);
      if (subject.startsWith('stuck')) await gate;
      handled.push(subject);
    };
    await start({ handlers: { [slow.name]: handle, [fast.name]: handle } });
    const stuck = versions(CONCURRENCY).map((n) => `stuck-${n}`);
    try {
      await publish(slow, aFact(slow, 'stuck-1', 1));
      const others = versions(4).map((n) => `other-${n}`);
      await publish(slow, ...others.map((key) => aFact(slow, key, 1)));
      await eventually(() => {
        expect([...handled].sort()).toEqual(others);
      });

      // From now on every handler of the slow topic is stuck, and its partition is full.
      await publish(slow, ...stuck.map((key) => aFact(slow, key, 2)));
      for (const version of versions(3)) {
        const next = versions(BACKLOG).map((n) => aFact(slow, 'stuck-1', version * 100 + n));
        await publish(slow, ...next);
      }
      await eventually(() => {
        expect([...begun].filter((key) => key.startsWith('stuck')).sort()).toEqual(stuck);
      });
      const keys = versions(20).map((n) => `fast-${n}`);
      for (const key of keys) await publish(fast, aFact(fast, key, 1));
      await eventually(() => {
        expect([...handled].sort()).toEqual([...keys, ...others].sort());
      });
    } finally {
      free();
    }
  });
});

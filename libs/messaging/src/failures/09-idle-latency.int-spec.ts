import type { EventEnvelope } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { aTopic } from '../contract-suite/harness.js';
import { versions } from '../contract-suite/use-consumers.js';
import { Stopwatch } from '../test-support/stopwatch.js';
import { useKafka } from '../test-support/use-kafka.js';
import { bestOfThree, quantile } from '../test-support/windows.js';

describe('failure 9: the default fetch wait shows as latency', () => {
  const { transport, start, create } = useKafka();

  // Protection: DEFAULT_TUNING.maxWaitMs in transport/kafka/kafka-tuning.ts.
  it('handles what is published on an idle system within 50 ms (p99)', async () => {
    const topics = [aTopic(4), aTopic(4)];
    await create(...topics);
    const stopwatch = new Stopwatch(transport);
    const handle = async (event: EventEnvelope): Promise<void> => {
      stopwatch.handled(event);
    };
    await start({ handlers: Object.fromEntries(topics.map(({ name }) => [name, handle])) });
    const facts = versions(60).flatMap((key) =>
      topics.map((topic) => ({ topic, key: `key-${key}` })),
    );
    await stopwatch.window(facts.slice(0, 10), 10);
    const p99 = await bestOfThree(
      async () => quantile(await stopwatch.window(facts, 20), 0.99),
      50,
    );
    expect(p99).toBeLessThanOrEqual(50);
  });
});

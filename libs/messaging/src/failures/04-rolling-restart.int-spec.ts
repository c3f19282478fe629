import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { aFact } from '../contract-suite/consumer-fixture.js';
import { aGroup, aTopic } from '../contract-suite/harness.js';
import type { ServiceProcess } from '../test-support/service-process.js';
import { useKafka } from '../test-support/use-kafka.js';
import { quantile } from '../test-support/windows.js';

const EVERY_MS = 25;

describe('failure 4: stop-the-world rebalances on every deploy', () => {
  const { create, publish, startProcess, count } = useKafka();

  // Protection: a process that stops leaves its group at once (Membership.leave in transport/kafka/), and the others hear of
  // it within a heartbeat (DEFAULT_TUNING.heartbeatIntervalMs in transport/kafka/kafka-tuning.ts).
  it('keeps the gap of consumption within 3 s (p99) while two replicas are replaced one after the other', async () => {
    const topic = aTopic(12);
    const plan = { group: aGroup(), topics: [topic.name], workMs: 0, relays: false };
    await create(topic);
    const replicas = await Promise.all([startProcess(plan), startProcess(plan)]);
    const sentAt = new Map<string, number>();
    const publishing = new AbortController();
    const published = (async () => {
      for (let n = 1; !publishing.signal.aborted; n += 1) {
        const fact = aFact(topic, `key-${n % 120}`, n);
        sentAt.set(`${fact.subject}:${n}`, Date.now());
        await publish(topic, fact);
        await delay(EVERY_MS);
      }
    })();
    const all: ServiceProcess[] = [...replicas];
    for (const replica of replicas) {
      expect(await replica.terminate()).toBe(0);
      // Up when it has joined and caught up, as a deployment waits for it.
      all.push(await startProcess(plan));
    }
    publishing.abort();
    await published;
    await eventually(async () => {
      expect(await count('contract_effects')).toBe(sentAt.size);
    });
    const handledAt = new Map<string, number>();
    for (const { what, fact, at } of all.flatMap(({ told }) => told)) {
      if (what === 'handled') handledAt.set(fact, Math.min(at, handledAt.get(fact) ?? at));
    }
    const gaps = [...sentAt].map(([fact, at]) => (handledAt.get(fact) ?? Infinity) - at);
    expect(gaps.length).toBeGreaterThan(60);
    expect(quantile(gaps, 0.99)).toBeLessThanOrEqual(3_000);
  });
});

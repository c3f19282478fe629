import { aFact, aGroup, aTopic, type ServiceProcess, useKafka } from '@bascule/messaging-testing';
import { bestWindow, eventually, quantile } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 25;
const GAP_MS = 3_000;
const MAX_PUBLISHING_MULTIPLE = 3;

describe('failure 4: stop-the-world rebalances on every deploy', () => {
  const { create, publish, startProcess, count } = useKafka();

  // Protection: a process that stops leaves its group at once (Membership.leave in transport/kafka/), and the others hear of
  // it within a heartbeat (DEFAULT_TUNING.heartbeatIntervalMs in transport/kafka/kafka-tuning.ts).
  it('keeps the gap of consumption within 3 s (p99) while two replicas are replaced one after the other', async () => {
    const topic = aTopic(12);
    const plan = { group: aGroup(), topics: [topic.name], workMs: 0, relays: false };
    await create(topic);
    let replicas: ServiceProcess[] = await Promise.all([startProcess(plan), startProcess(plan)]);
    const all: ServiceProcess[] = [...replicas];
    let published = 0;

    /**
     * Returns the p99 delay of one round, as a share of the allowed delay or, on a busy machine, of a multiple of the
     * publishing time.
     */
    async function replaceBoth(): Promise<number> {
      const sentAt = new Map<string, number>();
      const publishTook: number[] = [];
      const over = new AbortController();
      const publishing = (async () => {
        while (!over.signal.aborted) {
          published += 1;
          const fact = aFact(topic, `key-${published % 120}`, published);
          sentAt.set(`${fact.subject}:${published}`, Date.now());
          const began = performance.now();
          await publish(topic, fact);
          publishTook.push(performance.now() - began);
          await delay(EVERY_MS);
        }
      })();
      const next: ServiceProcess[] = [];
      for (const replica of replicas) {
        expect(await replica.terminate()).toBe(0);
        // Up once it has joined and caught up, as a deployment requires.
        next.push(await startProcess(plan));
      }
      replicas = next;
      all.push(...next);
      over.abort();
      await publishing;
      await eventually(
        async () => {
          expect(await count('contract_effects')).toBe(published);
        },
        { timeoutMs: 90_000 },
      );
      const handledAt = new Map<string, number>();
      for (const { what, fact, at } of all.flatMap(({ messages }) => messages)) {
        if (what === 'handled') handledAt.set(fact, Math.min(at, handledAt.get(fact) ?? at));
      }
      const gaps = [...sentAt].map(([fact, at]) => (handledAt.get(fact) ?? Infinity) - at);
      expect(gaps.length).toBeGreaterThan(60);
      return (
        quantile(gaps, 0.99) /
        Math.max(GAP_MS, MAX_PUBLISHING_MULTIPLE * quantile(publishTook, 0.99))
      );
    }

    const share = await bestWindow(replaceBoth, { goodEnough: 1, windows: 8 });
    expect(share).toBeLessThanOrEqual(1);
  }, 600_000);
});

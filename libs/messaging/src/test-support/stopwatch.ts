import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import { eventually } from '@bascule/testing';
import { expect } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { aFact, asRecord } from '../contract-suite/consumer-fixture.js';
import type { Transport } from '../transport/transport.js';

/** Times facts from before they are published until they are handled. */
export class Stopwatch {
  private readonly sent = new Map<string, number>();
  private took: number[] = [];

  constructor(private readonly transport: () => Transport) {}

  async publish(topic: TopicDefinition, key: string, version = 1): Promise<void> {
    const fact = aFact(topic, key, version);
    this.sent.set(fact.id, performance.now());
    await this.transport().publish([asRecord(topic, fact)]);
  }

  /** To be called by the handler when it is done. */
  handled({ id }: Pick<EventEnvelope, 'id'>): void {
    const sent = this.sent.get(id);
    if (sent === undefined) return;
    this.sent.delete(id);
    this.took.push(performance.now() - sent);
  }

  /** Milliseconds of each fact, published one after the other with a pause between, all of them handled. */
  async window(
    facts: readonly { topic: TopicDefinition; key: string }[],
    pauseMs: number,
  ): Promise<number[]> {
    this.took = [];
    for (const { topic, key } of facts) {
      await this.publish(topic, key);
      await delay(pauseMs);
    }
    await eventually(() => {
      expect(this.took.length).toBeGreaterThanOrEqual(facts.length);
    });
    return this.took;
  }
}

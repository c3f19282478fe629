import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import { eventually, quantile } from '@bascule/testing';
import { expect } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { aFact, asRecord } from '../contract-suite/consumer-fixture.js';
import type { Transport } from '../transport/transport.js';

/** Of what publishing alone takes: on a machine that needs longer for this than is promised for all, nothing else can be told. */
const MOST_SHARES = 3;

/** Times facts from before they are published until they are handled. */
export class Stopwatch {
  private readonly sent = new Map<string, number>();
  private took: number[] = [];
  private publishing: number[] = [];

  constructor(private readonly transport: () => Transport) {}

  async publish(topic: TopicDefinition, key: string, version = 1): Promise<void> {
    const fact = aFact(topic, key, version);
    const sent = performance.now();
    this.sent.set(fact.id, sent);
    await this.transport().publish([asRecord(topic, fact)]);
    this.publishing.push(performance.now() - sent);
  }

  /** To be called by the handler when it is done. */
  handled({ id }: Pick<EventEnvelope, 'id'>): void {
    const sent = this.sent.get(id);
    if (sent === undefined) return;
    this.sent.delete(id);
    this.took.push(performance.now() - sent);
  }

  /** The p99 of facts that are published one after the other with a pause between, as a share of what is promised. */
  async window(
    facts: readonly { topic: TopicDefinition; key: string }[],
    { pauseMs, promisedMs }: { pauseMs: number; promisedMs: number },
  ): Promise<number> {
    this.took = [];
    this.publishing = [];
    for (const { topic, key } of facts) {
      await this.publish(topic, key);
      await delay(pauseMs);
    }
    await eventually(() => {
      expect(this.took.length).toBeGreaterThanOrEqual(facts.length);
    });
    const limit = Math.max(promisedMs, MOST_SHARES * quantile(this.publishing, 0.99));
    return quantile(this.took, 0.99) / limit;
  }
}

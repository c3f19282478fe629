import type { TopicDefinition } from '@bascule/contracts';
import type { Transport } from '../transport/transport.js';
import { aFact, asRecord } from './consumer-fixture.js';
import type { Chance } from './randomness.js';

const BATCH = 20;

/** What an owner has, and tells of in a topic: the truth that projections are compared with. */
export class Things {
  private readonly current = new Map<string, number>();

  constructor(
    private readonly topic: TopicDefinition,
    private readonly transport: Transport,
    private readonly chance: Chance,
  ) {}

  keys(): string[] {
    return [...this.current.keys()];
  }

  /** As the projection should have them. */
  rows(): { thing_id: string; version: number; note: { version: number } }[] {
    return [...this.current]
      .map(([thing_id, version]) => ({ thing_id, version, note: { version } }))
      .sort((a, b) => (a.thing_id < b.thing_id ? -1 : 1));
  }

  async create(count: number): Promise<void> {
    const start = this.current.size;
    await this.publish(Array.from({ length: count }, (_, n) => `thing-${start + n}`));
  }

  async change(count: number): Promise<void> {
    const keys = this.keys();
    const changed = Array.from({ length: count }, () => keys[this.chance.below(keys.length)] ?? '');
    await this.publish(changed);
  }

  /** Changes and new ones, one after the other, until told to stop. */
  stream(): { stop: () => Promise<void> } {
    let isStopped = false;
    const run = async (): Promise<void> => {
      while (!isStopped) {
        await this.change(5);
        await this.create(1);
      }
    };
    const running = run();
    return {
      stop: () => {
        isStopped = true;
        return running;
      },
    };
  }

  private async publish(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += BATCH) {
      const records = keys.slice(start, start + BATCH).map((key) => {
        const version = (this.current.get(key) ?? 0) + 1;
        this.current.set(key, version);
        return asRecord(this.topic, aFact(this.topic, key, version));
      });
      await this.transport.publish(records);
    }
  }
}

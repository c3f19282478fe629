import type { TopicDefinition } from '@bascule/contracts';
import type {
  OutgoingRecord,
  ReadOptions,
  RecordBatch,
  RecordReceiver,
  SubscribeOptions,
  Subscription,
  Transport,
} from '../transport/transport.js';
import type { Chance } from './randomness.js';

/**
 * What brokers, relays and networks do at their worst and still keep the contract: what was published comes twice, batches
 * are cut anywhere, commits get lost.
 */
export class DisturbedTransport implements Transport {
  constructor(
    private readonly inner: Transport,
    private readonly chance: Chance,
  ) {}

  missingTopics(topics: readonly TopicDefinition[]): Promise<string[]> {
    return this.inner.missingTopics(topics);
  }

  read(options: ReadOptions): Promise<void> {
    return this.inner.read(options);
  }

  /** Sometimes as a relay that died between the acknowledgement and the delete: the same records again. */
  async publish(records: readonly OutgoingRecord[]): Promise<void> {
    for (const part of cut(records, this.chance)) {
      await this.inner.publish(part);
      if (this.chance.percent(30)) await this.inner.publish(part);
    }
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const receiver: RecordReceiver = {
      receive: async (batch) => {
        for (const part of this.parts(batch)) await options.receiver.receive(part);
      },
      release: (partitions) => options.receiver.release(partitions),
    };
    const subscription = await this.inner.subscribe({ ...options, receiver });
    return {
      commit: (position) => {
        if (!this.chance.percent(50)) subscription.commit(position);
      },
      progress: () => subscription.progress(),
      state: () => subscription.state(),
      restart: () => subscription.restart(),
      stop: () => subscription.stop(),
      close: () => subscription.close(),
    };
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** Some parts come twice, as after a rewind. */
  private parts(batch: RecordBatch): RecordBatch[] {
    return cut(batch.records, this.chance).flatMap((records) => {
      const part = { ...batch, records };
      return this.chance.percent(30) ? [part, part] : [part];
    });
  }
}

export function cut<T>(items: readonly T[], chance: Chance): T[][] {
  const parts: T[][] = [];
  for (let start = 0; start < items.length;) {
    const end = start + 1 + chance.below(7);
    parts.push(items.slice(start, end));
    start = end;
  }
  return parts;
}

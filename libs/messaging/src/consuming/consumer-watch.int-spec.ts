import { eventually } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TopicDefinition } from '@bascule/contracts';
import {
  aFact,
  aGroup,
  asRecord,
  aTopic,
  messagingFixture,
  type MessagingFixture,
  type RunningConsumer,
  startConsumer,
} from '@bascule/messaging-testing';
import { EmbeddedTopics } from '../transport/embedded/embedded-topics.js';
import type { SubscribeOptions, Subscription, Transport } from '../transport/transport.js';

/** Restarted after half of it: longer than a busy database takes to answer. */
const SILENT_MS = 9_000;

/** A client that dies as Kafka's do: no error, no event, and from then on nothing. */
class DyingTransport implements Transport {
  isDead = false;
  restartHelps = true;
  brokerReachable = true;
  restarts = 0;
  private diedAt = 0;

  constructor(private readonly inner: Transport) {}

  missingTopics: Transport['missingTopics'] = (topics) => this.inner.missingTopics(topics);
  publish: Transport['publish'] = (records) => this.inner.publish(records);
  read: Transport['read'] = (options) => this.inner.read(options);
  close: Transport['close'] = () => Promise.resolve();

  die(): void {
    this.isDead = true;
    this.diedAt = Date.now();
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const receiver = {
      receive: async (batch: Parameters<typeof options.receiver.receive>[0]) => {
        if (this.isDead) await new Promise(() => undefined);
        await options.receiver.receive(batch);
      },
      release: (partitions: Parameters<typeof options.receiver.release>[0]) =>
        options.receiver.release(partitions),
    };
    let subscription = await this.inner.subscribe({ ...options, receiver });
    return {
      commit: (position) => {
        subscription.commit(position);
      },
      progress: () => subscription.progress(),
      state: () => ({
        ...subscription.state(),
        brokerReachable: this.brokerReachable,
        ...(this.isDead ? { fetchedAt: this.diedAt } : {}),
      }),
      restart: async () => {
        this.restarts += 1;
        if (!this.restartHelps) return;
        await subscription.close();
        this.isDead = false;
        subscription = await this.inner.subscribe({ ...options, receiver });
      },
      stop: () => subscription.stop(),
      close: () => subscription.close(),
    };
  }
}

describe('a consumer that dies inside a process that lives', () => {
  let fixture: MessagingFixture;
  let topic: TopicDefinition;
  let transport: DyingTransport;
  let consumer: RunningConsumer;
  const handled: number[] = [];

  beforeAll(async () => {
    fixture = await messagingFixture('watch');
  });
  beforeEach(async () => {
    topic = aTopic(1);
    await new EmbeddedTopics(fixture.dataSource).apply([topic]);
    transport = new DyingTransport(fixture.transport);
    handled.length = 0;
    consumer = await startConsumer({
      transport,
      dataSource: fixture.dataSource,
      group: aGroup(),
      silentMs: SILENT_MS,
      handlers: {
        [topic.name]: ({ data }) => {
          handled.push(data.version);
          return Promise.resolve();
        },
      },
    });
    await publish(1);
    await eventually(() => {
      expect(handled).toEqual([1]);
    });
  });
  afterEach(() => consumer.stop());
  afterAll(() => fixture.close());

  const publish = (version: number): Promise<void> =>
    fixture.transport.publish([asRecord(topic, aFact(topic, 'key', version))]);

  const isLive = async (): Promise<boolean> => (await consumer.context.health.evaluateLive()).ok;

  const after = (ms: number): Promise<void> => {
    const end = Date.now() + ms;
    return eventually(() => {
      expect(Date.now()).toBeGreaterThan(end);
    });
  };

  it('is restarted in place, once, and goes on where it was', async () => {
    transport.die();
    await publish(2);
    await eventually(() => {
      expect(handled).toEqual([1, 2]);
    });
    await after(SILENT_MS);
    expect(transport.restarts).toBe(1);
    expect(await isLive()).toBe(true);
    expect(consumer.context.failure.signal.aborted).toBe(false);
  });

  it('is none because the process stood still for a while, as one does whose machine sleeps', async () => {
    await eventually(async () => {
      expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * SILENT_MS);
    await publish(2);
    await eventually(() => {
      expect(handled).toEqual([1, 2]);
    });
    expect(transport.restarts).toBe(0);
    expect(consumer.context.failure.signal.aborted).toBe(false);
  });

  it('makes the process end when that does not help', async () => {
    transport.restartHelps = false;
    transport.die();
    await eventually(() => {
      expect(consumer.context.failure.signal.aborted).toBe(true);
    });
    expect(transport.restarts).toBe(1);
    expect(await consumer.context.health.evaluateLive()).toEqual({
      ok: false,
      checks: { consumer: 'no records were asked for lately, although the broker answers' },
    });
    expect(String(consumer.context.failure.signal.reason)).toContain('asks for nothing');
  });

  it('is none while the broker cannot be reached: the process lives, stays ready and waits', async () => {
    await eventually(async () => {
      expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
    });
    transport.restartHelps = false;
    transport.brokerReachable = false;
    transport.die();
    await after(SILENT_MS * 1.2);
    expect(transport.restarts).toBe(0);
    expect(await isLive()).toBe(true);
    expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
    expect(await consumer.context.metrics.metrics()).toContain('messaging_broker_reachable 0');
    // The clock runs again when the broker is back.
    transport.brokerReachable = true;
    await eventually(() => {
      expect(transport.restarts).toBe(1);
    });
  });
});

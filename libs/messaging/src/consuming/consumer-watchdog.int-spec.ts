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

/** The restart comes after half of it, which exceeds the response time of a busy database. */
const STALL_TIMEOUT_MS = 9_000;

/** Transport whose client stalls as kafkajs does: no error, no event, no further fetch. */
class StallingTransport implements Transport {
  isStalled = false;
  restartHelps = true;
  brokerReachable = true;
  restarts = 0;
  private stalledAt = 0;

  constructor(private readonly inner: Transport) {}

  missingTopics: Transport['missingTopics'] = (topics) => this.inner.missingTopics(topics);
  publish: Transport['publish'] = (records) => this.inner.publish(records);
  read: Transport['read'] = (options) => this.inner.read(options);
  close: Transport['close'] = () => Promise.resolve();

  stall(): void {
    this.isStalled = true;
    this.stalledAt = Date.now();
  }

  async subscribe(options: SubscribeOptions): Promise<Subscription> {
    const receiver = {
      receive: async (batch: Parameters<typeof options.receiver.receive>[0]) => {
        if (this.isStalled) await new Promise(() => undefined);
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
        ...(this.isStalled ? { fetchedAt: this.stalledAt } : {}),
      }),
      restart: async () => {
        this.restarts += 1;
        if (!this.restartHelps) return;
        await subscription.close();
        this.isStalled = false;
        subscription = await this.inner.subscribe({ ...options, receiver });
      },
      stop: () => subscription.stop(),
      close: () => subscription.close(),
    };
  }
}

describe('ConsumerWatchdog', () => {
  let fixture: MessagingFixture;
  let topic: TopicDefinition;
  let transport: StallingTransport;
  let consumer: RunningConsumer;
  const handled: number[] = [];

  beforeAll(async () => {
    fixture = await messagingFixture('watch');
  });
  beforeEach(async () => {
    topic = aTopic(1);
    await new EmbeddedTopics(fixture.dataSource).apply([topic]);
    transport = new StallingTransport(fixture.transport);
    handled.length = 0;
    consumer = await startConsumer({
      transport,
      dataSource: fixture.dataSource,
      group: aGroup(),
      stallTimeoutMs: STALL_TIMEOUT_MS,
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

  it('restarts a stalled consumer once, which resumes where it was', async () => {
    transport.stall();
    await publish(2);
    await eventually(() => {
      expect(handled).toEqual([1, 2]);
    });
    await after(STALL_TIMEOUT_MS);
    expect(transport.restarts).toBe(1);
    expect(await isLive()).toBe(true);
    expect(consumer.context.failure.signal.aborted).toBe(false);
  });

  it('ignores time in which the whole process was suspended', async () => {
    await eventually(async () => {
      expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
    });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1.5 * STALL_TIMEOUT_MS);
    await publish(2);
    await eventually(() => {
      expect(handled).toEqual([1, 2]);
    });
    expect(transport.restarts).toBe(0);
    expect(consumer.context.failure.signal.aborted).toBe(false);
  });

  it('ends the process when a restart does not help', async () => {
    transport.restartHelps = false;
    transport.stall();
    await eventually(() => {
      expect(consumer.context.failure.signal.aborted).toBe(true);
    });
    expect(transport.restarts).toBe(1);
    expect(await consumer.context.health.evaluateLive()).toEqual({
      ok: false,
      checks: { consumer: 'no fetch lately although the broker is reachable' },
    });
    expect(String(consumer.context.failure.signal.reason)).toContain('consumer stalled');
  });

  it('tolerates an unreachable broker: the process stays live and ready', async () => {
    await eventually(async () => {
      expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
    });
    transport.restartHelps = false;
    transport.brokerReachable = false;
    transport.stall();
    await after(STALL_TIMEOUT_MS * 1.2);
    expect(transport.restarts).toBe(0);
    expect(await isLive()).toBe(true);
    expect((await consumer.context.health.evaluateReady()).ok).toBe(true);
    expect(await consumer.context.metrics.metrics()).toContain('messaging_broker_reachable 0');
    // The timeout counts again once the broker is reachable.
    transport.brokerReachable = true;
    await eventually(() => {
      expect(transport.restarts).toBe(1);
    });
  });
});

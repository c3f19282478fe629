import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import { runInTrace, type ServiceContext } from '@bascule/process';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { DataSource } from 'typeorm';
import type { InboxPartitions } from '../inbox/inbox-partitions.js';
import type { Outbox } from '../outbox/outbox.js';
import { DeadLetterRetention } from '../parked/dead-letter-retention.js';
import { DeadLetterWriter } from '../parked/dead-letter-writer.js';
import { ParkedEventsRepository } from '../parked/parked-events.repository.js';
import { TopicPausesRepository } from '../parked/topic-pauses.repository.js';
import { ParkedEventsWorker } from './parked-events.worker.js';
import { ProjectionBuilder } from '../projections/projection-builder.js';
import type { IncomingRecord, Subscription, Transport } from '../transport/transport.js';
import {
  consumerMetrics,
  registerBacklogMetrics,
  registerPauseMetric,
} from './consumer-metrics.js';
import { ConsumerReadiness } from './consumer-readiness.js';
import { ConsumerWatchdog } from './consumer-watchdog.js';
import { EventHandlers } from './event-handlers.js';
import { EventProcessor } from './event-processor.js';
import { PauseGate } from '../records/pause-gate.js';
import { RecordConsumer } from '../records/record-consumer.js';
import { RunningHandlers } from './running-handlers.js';
import { type BreakerTuning, TopicBreaker } from './topic-breaker.js';

export interface EventServerOptions {
  group: string;
  environment: string;
  /** Declared topics; any envelope is accepted from others. */
  topics: readonly TopicDefinition[];
  transport: Transport;
  dataSource: DataSource;
  context: ServiceContext;
  inboxPartitions: InboxPartitions;
  /** Publishes the events about dead letters. */
  outbox: Pick<Outbox, 'append'>;
  concurrency: number;
  windowSize: number;
  retryDelaysMs: readonly number[];
  parkedPollMs: number;
  stallTimeoutMs: number;
  /** Lease of the process that builds projections. */
  rebuildLeaseMs: number;
  breaker: BreakerTuning;
}

/** Nest server that carries events from a transport to `@EventPattern` methods. */
export class EventServer extends Server implements CustomTransportStrategy {
  private readonly gate = new PauseGate();
  private subscription: Subscription | undefined;
  private consumer: RecordConsumer | undefined;
  private breaker: TopicBreaker | undefined;

  constructor(private readonly options: EventServerOptions) {
    super();
  }

  /** Starts consuming; Nest calls it after all handlers are registered. */
  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => {
      callback();
    }, callback);
  }

  /** Stops consuming; idempotent, since the shutdown sequence and Nest both call it. */
  async close(): Promise<void> {
    await this.stopIntake();
    await this.drain();
  }

  /** @throws for a `@MessagePattern`: request-reply uses HTTP (docs/adr/0008) */
  override addHandler(
    pattern: unknown,
    callback: MessageHandler,
    isEventHandler = false,
    extras: Record<string, unknown> = {},
  ): void {
    if (!isEventHandler) {
      throw new Error(`${String(pattern)}: request-reply over Kafka is not supported; use HTTP`);
    }
    super.addHandler(pattern, callback, isEventHandler, extras);
  }

  override on(): never {
    throw new Error('the event server emits no events');
  }

  override unwrap<T>(): T {
    throw new Error('the event server has no driver');
  }

  private async start(): Promise<void> {
    const handlers = new EventHandlers({ ...this.options, handlers: this.getHandlers() });
    if (handlers.topics.length === 0) return;
    const { context, dataSource, transport, group, stallTimeoutMs, inboxPartitions } = this.options;
    inboxPartitions.start();
    new DeadLetterRetention(dataSource).start(context);
    const { topics } = handlers;
    const breaker = this.createBreaker(topics);
    const consumer = this.createConsumer(handlers, breaker);
    const subscription = await transport.subscribe({ group, topics, receiver: consumer });
    consumer.attach(subscription);
    this.consumer = consumer;
    this.subscription = subscription;
    context.shutdown.add('intake', 'events', () => this.stopIntake());
    context.shutdown.add('work', 'events', () => this.drain());
    registerBacklogMetrics(context.metrics, dataSource, subscription);
    registerPauseMetric(context.metrics, topics, (topic) => breaker.isPaused(topic));
    new ConsumerReadiness(subscription, context, (topic) => breaker.isPaused(topic)).start();
    new ConsumerWatchdog({ subscription, context, stallTimeoutMs }).start();
    this.buildProjections(handlers);
  }

  private createBreaker(topics: readonly string[]): TopicBreaker {
    const { dataSource, context, breaker: tuning, parkedPollMs: pollMs } = this.options;
    const pauses = new TopicPausesRepository(dataSource);
    this.breaker = new TopicBreaker({ topics, pauses, tuning, pollMs, logger: context.logger });
    return this.breaker;
  }

  private createConsumer(handlers: EventHandlers, breaker: TopicBreaker): RecordConsumer {
    const { dataSource, context, retryDelaysMs, outbox, group, parkedPollMs } = this.options;
    const running = new RunningHandlers(context.metrics, context.logger);
    running.register();
    const shared = {
      dispatch: (event: EventEnvelope, record: IncomingRecord) =>
        running.watch({ topic: record.topic, key: event.subject, id: event.id }, () =>
          handlers.dispatch(event, record),
        ),
      expectationOf: handlers.expectationOf.bind(handlers),
      parked: new ParkedEventsRepository(dataSource),
      deadLetters: new DeadLetterWriter(outbox, group),
      metrics: consumerMetrics(context.metrics),
      dataSource,
      retryDelaysMs,
      breaker,
    };
    const processor = new EventProcessor({ ...shared, gate: this.gate, logger: context.logger });
    const worker = new ParkedEventsWorker({ ...shared, context, pollMs: parkedPollMs });
    worker.start();
    breaker.start((topic, limit) => worker.probe(topic, limit));
    return new RecordConsumer({
      prepare: (batch) => processor.prepare(batch),
      process: (record, released) =>
        runInTrace(
          record.headers.traceparent,
          () => processor.process(record, released),
          context.name,
        ),
      concurrency: this.options.concurrency,
      windowSize: this.options.windowSize,
    });
  }

  private buildProjections(handlers: EventHandlers): void {
    if (handlers.projections.length === 0) return;
    const { parkedPollMs: pollMs, rebuildLeaseMs: leaseMs } = this.options;
    new ProjectionBuilder({
      ...this.options,
      sources: handlers.projections,
      apply: (record) => handlers.apply(record),
      pollMs,
      leaseMs,
    }).start();
  }

  private async stopIntake(): Promise<void> {
    this.consumer?.stop();
    this.gate.stop();
    this.breaker?.stop();
    await this.subscription?.stop();
  }

  private async drain(): Promise<void> {
    await this.consumer?.drain();
    await this.breaker?.drain();
    await this.subscription?.close();
  }
}

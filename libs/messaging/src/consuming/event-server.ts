import type { EventEnvelope } from '@bascule/contracts';
import { runInTrace, type ServiceContext, withSpan } from '@bascule/process';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import type { DataSource } from 'typeorm';
import type { Expectation } from '../envelope/parse-envelope.js';
import { dayOf } from '../inbox/inbox-days.js';
import type { InboxPartitions } from '../inbox/inbox-partitions.js';
import { DeadLetters } from '../parked/dead-letters.js';
import { ParkedEvents } from '../parked/parked-events.repository.js';
import { ParkedWorker } from '../parked/parked-worker.js';
import type { IncomingRecord, Subscription, Transport } from '../transport/transport.js';
import { consumerMetrics, registerBacklogMetrics } from './consumer-metrics.js';
import { registerConsumerHealth } from './consumer-health.js';
import { EventContext } from './event-context.js';
import { EventProcessor } from './event-processor.js';
import { PauseGate } from './pause-gate.js';
import { RecordConsumer } from './record-consumer.js';

export interface EventServerOptions {
  group: string;
  environment: string;
  /** The types a topic has; a topic that is not named takes any. */
  eventTypes: Readonly<Record<string, readonly string[]>>;
  transport: Transport;
  dataSource: DataSource;
  context: ServiceContext;
  inboxPartitions: InboxPartitions;
  concurrency: number;
  windowSize: number;
  retryDelaysMs: readonly number[];
  parkedPollMs: number;
}

/** Carries events from a transport to the `@EventPattern(topic)` methods of a service, which know neither. */
export class EventServer extends Server implements CustomTransportStrategy {
  private readonly gate = new PauseGate();
  private subscription: Subscription | undefined;
  private consumer: RecordConsumer | undefined;

  constructor(private readonly options: EventServerOptions) {
    super();
  }

  /** Nest calls it when all handlers are registered. */
  listen(callback: (error?: unknown) => void): void {
    this.start().then(() => {
      callback();
    }, callback);
  }

  /** Part of the shutdown sequence too; Nest calls it once more. */
  async close(): Promise<void> {
    await this.stopIntake();
    await this.drain();
  }

  override on(): never {
    throw new Error('the event server has no events of its own');
  }

  override unwrap<T>(): T {
    throw new Error('the event server wraps no driver');
  }

  private async start(): Promise<void> {
    const { context, dataSource, transport, group } = this.options;
    const topics = [...this.getHandlers().keys()];
    if (topics.length === 0) return;
    await this.options.inboxPartitions.start();
    const consumer = this.createConsumer();
    const subscription = await transport.subscribe({ group, topics, receiver: consumer });
    consumer.attach(subscription);
    this.consumer = consumer;
    this.subscription = subscription;
    context.shutdown.add('intake', 'events', () => this.stopIntake());
    context.shutdown.add('work', 'events', () => this.drain());
    registerBacklogMetrics(context.metrics, dataSource, subscription);
    await registerConsumerHealth(context.health, subscription, () => isReachable(dataSource));
  }

  private createConsumer(): RecordConsumer {
    const { dataSource, context } = this.options;
    const shared = {
      dispatch: (event: EventEnvelope, record: IncomingRecord) => this.dispatch(event, record),
      expectationOf: (topic: string) => this.expectationOf(topic),
      parked: new ParkedEvents(dataSource),
      retryDelaysMs: this.options.retryDelaysMs,
      metrics: consumerMetrics(context.metrics),
    };
    const processor = new EventProcessor({
      ...shared,
      deadLetters: new DeadLetters(dataSource),
      gate: this.gate,
      logger: context.logger,
    });
    new ParkedWorker({ ...shared, context, dataSource, pollMs: this.options.parkedPollMs }).start();
    return new RecordConsumer({
      prepare: (batch) => processor.prepare(batch),
      process: (record) =>
        runInTrace(record.headers.traceparent, () => processor.process(record), context.name),
      concurrency: this.options.concurrency,
      windowSize: this.options.windowSize,
    });
  }

  private expectationOf(topic: string): Expectation {
    return { environment: this.options.environment, types: this.options.eventTypes[topic] };
  }

  /** A failing handler does not reject: it resolves to an Observable that errors. */
  private async dispatch(event: EventEnvelope, record: IncomingRecord): Promise<void> {
    await this.options.inboxPartitions.ensure(dayOf(new Date(event.time)));
    const handler = this.getHandlerByPattern(record.topic);
    if (handler === null) throw new Error(`no handler for ${record.topic}`);
    const handle = async (): Promise<void> => {
      const result: unknown = await handler(event, new EventContext(record));
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    };
    await withSpan(`process ${record.topic}`, this.attributesOf(event, record), handle, 'consumer');
  }

  private attributesOf(event: EventEnvelope, { topic, partition, offset }: IncomingRecord) {
    return {
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': topic,
      'messaging.destination.partition.id': String(partition),
      'messaging.kafka.offset': Number(offset),
      'messaging.consumer.group.name': this.options.group,
      'messaging.message.id': event.id,
    };
  }

  private async stopIntake(): Promise<void> {
    this.consumer?.stop();
    this.gate.stop();
    await this.subscription?.stop();
  }

  private async drain(): Promise<void> {
    await this.consumer?.drain();
    await this.subscription?.close();
  }
}

async function isReachable(dataSource: DataSource): Promise<boolean> {
  try {
    await dataSource.query('SELECT 1');
    return true;
  } catch {
    return false;
  }
}

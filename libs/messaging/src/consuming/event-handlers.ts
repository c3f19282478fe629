import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import { withSpan } from '@bascule/process';
import { isObservable, lastValueFrom } from 'rxjs';
import type { MessageHandler } from '@nestjs/microservices';
import { type Expectation, parseEnvelope } from '../envelope/parse-envelope.js';
import { dayOf } from '../inbox/inbox-days.js';
import type { InboxPartitions } from '../inbox/inbox-partitions.js';
import { type ProjectionSource, projectionSources } from '../projections/projection-sources.js';
import type { IncomingRecord } from '../transport/transport.js';
import { EventContext } from './event-context.js';

export interface EventHandlersOptions {
  group: string;
  handlers: ReadonlyMap<string, MessageHandler>;
  environment: string;
  /** Declared topics; any envelope is accepted from others. */
  topics: readonly TopicDefinition[];
  inboxPartitions: Pick<InboxPartitions, 'ensure'>;
}

/** Handlers of a service, by topic. */
export class EventHandlers {
  readonly topics: string[];
  readonly projections: ProjectionSource[];
  private readonly declared: ReadonlyMap<string, TopicDefinition>;
  private readonly projected: ReadonlySet<string>;

  constructor(private readonly options: EventHandlersOptions) {
    this.topics = [...options.handlers.keys()];
    this.projections = projectionSources(options.handlers);
    this.declared = new Map(options.topics.map((topic) => [topic.name, topic]));
    this.projected = new Set(this.projections.map(({ topic }) => topic));
  }

  expectationOf(topic: string): Expectation {
    return {
      environment: this.options.environment,
      topic: this.declared.get(topic),
      acceptsUnknownTypes: this.projected.has(topic),
    };
  }

  /** Runs the handler. A failing handler of Nest does not reject: it resolves to an Observable that errors. */
  async dispatch(event: EventEnvelope, record: IncomingRecord): Promise<void> {
    const handler = this.options.handlers.get(record.topic);
    if (handler === undefined) throw new Error(`no handler for ${record.topic}`);
    // Projections do not use the inbox.
    if (!this.projected.has(record.topic)) {
      await this.options.inboxPartitions.ensure(dayOf(new Date(event.time)));
    }
    const handle = async (): Promise<void> => {
      const result: unknown = await handler(event, new EventContext(record));
      if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
    };
    await withSpan(`process ${record.topic}`, this.attributesOf(event, record), handle, 'consumer');
  }

  private attributesOf(event: EventEnvelope, { topic, partition, offset }: IncomingRecord) {
    return {
      // The embedded log has Kafka's shape, too.
      'messaging.system': 'kafka',
      'messaging.operation.name': 'process',
      'messaging.operation.type': 'process',
      'messaging.destination.name': topic,
      'messaging.destination.partition.id': String(partition),
      'messaging.kafka.offset': Number(offset),
      'messaging.consumer.group.name': this.options.group,
      'messaging.message.id': event.id,
    };
  }

  /** Runs the handler for a rebuild: failures are thrown, not parked. */
  async apply({ key, value, ...record }: IncomingRecord): Promise<void> {
    if (value === null) return;
    const event = parseEnvelope({ key: key ?? '', value }, this.expectationOf(record.topic));
    await this.dispatch(event, { ...record, key, value });
  }
}

import { ServiceContext } from '@bascule/process';
import type { EventEnvelope, TopicDefinition } from '@bascule/contracts';
import type { DataSource } from 'typeorm';
import { EventServer } from '../consuming/event-server.js';
import { createEnvelope } from '../envelope/envelope.js';
import { Inbox } from '../inbox/inbox.js';
import { InboxPartitions } from '../inbox/inbox-partitions.js';
import { Outbox } from '../outbox/outbox.js';
import type { OutgoingRecord, Transport } from '../transport/transport.js';
import { ENVIRONMENT } from './harness.js';

export interface FactData {
  version: number;
}

export type FactHandler = (event: EventEnvelope<string, FactData>, inbox: Inbox) => Promise<void>;

export interface ConsumerOptions {
  transport: Transport;
  dataSource: DataSource;
  group: string;
  handlers: Record<string, FactHandler>;
  /** The tables that a topic's handler keeps, as its `@ProjectionPattern` says. */
  projections?: Record<string, string[]>;
  /** What is declared of the topics. */
  topics?: readonly TopicDefinition[];
  retryDelaysMs?: readonly number[];
  silentMs?: number;
  rebuildLeaseMs?: number;
}

export interface RunningConsumer {
  context: ServiceContext;
  /** In the order of a service's shutdown. */
  stop(): Promise<void>;
}

/** An event server without handlers. */
export function anEventServer(options: Omit<ConsumerOptions, 'handlers' | 'projections'>) {
  const context = new ServiceContext({
    name: 'contract',
    environment: ENVIRONMENT,
    logLevel: 'silent',
  });
  const inboxPartitions = new InboxPartitions(options.dataSource, context);
  const inbox = new Inbox(inboxPartitions);
  const server = new EventServer({
    group: options.group,
    environment: ENVIRONMENT,
    topics: options.topics ?? [],
    transport: options.transport,
    dataSource: options.dataSource,
    context,
    inboxPartitions,
    concurrency: 8,
    windowSize: 50,
    retryDelaysMs: options.retryDelaysMs ?? [20, 20],
    parkedPollMs: 20,
    outbox: new Outbox({ source: 'contract', environment: ENVIRONMENT }, { wake: () => undefined }),
    silentMs: options.silentMs ?? 30_000,
    rebuildLeaseMs: options.rebuildLeaseMs ?? 30_000,
  });
  return { server, context, inbox };
}

/** A consuming process of a service: everything but the HTTP part. */
export async function startConsumer(options: ConsumerOptions): Promise<RunningConsumer> {
  const { server, context, inbox } = anEventServer(options);
  for (const [topic, handler] of Object.entries(options.handlers)) {
    server.addHandler(
      topic,
      (event: EventEnvelope<string, FactData>) => handler(event, inbox),
      true,
      extrasOf(options.projections?.[topic]),
    );
  }
  await new Promise<void>((resolve, reject) => {
    server.listen((error) => {
      if (error === undefined) resolve();
      else reject(new Error('the event server did not start', { cause: error }));
    });
  });
  return { context, stop: () => context.shutdown.run(10_000) };
}

const extrasOf = (tables: string[] | undefined) =>
  tables === undefined ? {} : { projectionTables: tables };

export function aFact(
  topic: TopicDefinition,
  key: string,
  version: number,
): EventEnvelope<string, FactData> {
  const event = { topic, type: 'thing.changed', key, data: { version } };
  const origin = { source: 'contract', environment: ENVIRONMENT };
  return createEnvelope(event, origin) as EventEnvelope<string, FactData>;
}

export const asRecord = (topic: TopicDefinition, event: EventEnvelope): OutgoingRecord => ({
  topic: topic.name,
  key: event.subject,
  headers: {},
  value: Buffer.from(JSON.stringify(event)),
});

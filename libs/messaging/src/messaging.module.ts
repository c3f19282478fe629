import { TOPICS } from '@bascule/contracts';
import { DATABASE_CONFIG, type DatabaseConfig } from '@bascule/persistence';
import { ServiceContext } from '@bascule/process';
import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { EventServer } from './consuming/event-server.js';
import type { BreakerTuning } from './consuming/topic-breaker.js';
import { TopicReadiness } from './consuming/topic-readiness.js';
import { Inbox } from './inbox/inbox.js';
import { InboxPartitions } from './inbox/inbox-partitions.js';
import { Outbox } from './outbox/outbox.js';
import { OutboxRelay } from './relay/outbox-relay.js';
import { RefusedRows } from './relay/refused-rows.js';
import { relayChannel, RelayWaker } from './outbox/relay-waker.js';
import { relayMetrics } from './relay/relay-metrics.js';
import { DeadLetters } from './parked/dead-letters.js';
import { RETRY_DELAYS_MS } from './parked/retry-schedule.js';
import { EmbeddedTransport } from './transport/embedded/embedded-transport.js';
import type { KafkaConfig } from './transport/kafka/kafka-config.js';
import { KafkaTransport } from './transport/kafka/kafka-transport.js';
import { TRANSPORT, type Transport } from './transport/transport.js';

export interface MessagingTuning {
  /** Events of one topic that a process handles concurrently. */
  concurrency: number;
  /** Records of one partition in flight. */
  windowSize: number;
  /** Poll interval of the outbox and parked events, for missed notifications. */
  pollMs: number;
  /** Interval at which a standby process tries to take over. */
  standbyMs: number;
  /** Waits before the second, third, … attempt of an event. */
  retryDelaysMs: readonly number[];
  /** Longest time without a fetch from a reachable broker; then the process ends. */
  stallTimeoutMs: number;
  /** Lease of the process that builds projections. */
  rebuildLeaseMs: number;
  /** Pauses of failing topics. */
  breaker: BreakerTuning;
}

const DEFAULT_TUNING: MessagingTuning = {
  concurrency: 32,
  windowSize: 500,
  pollMs: 500,
  standbyMs: 1_000,
  retryDelaysMs: RETRY_DELAYS_MS,
  stallTimeoutMs: 30_000,
  rebuildLeaseMs: 15_000,
  breaker: { minKeys: 8, minGroups: 3, firstProbeMs: 1_000, longestProbeMs: 30_000 },
};

export interface MessagingOptions {
  /** The consumer group, and the source of what is published: the service's name. */
  group: string;
  publishes: boolean;
  consumes: boolean;
  /** Events of another deployment are refused. */
  environment: string;
  /** By default the event log in the database server of the service. */
  kafka?: KafkaConfig | undefined;
  /** Value of `EVENT_CONCURRENCY`. */
  concurrency?: number;
  /** Value of `EVENT_PAUSE_ORGANISATIONS`. */
  pauseOrganisations?: number;
  tuning?: Partial<MessagingTuning>;
  /** False for a service that is ready without its broker; its events wait in the outbox. */
  awaitsTopics?: boolean;
}

/** Events of one service: outbox and relay where it publishes, inbox and event server where it consumes. */
@Module({})
export class MessagingModule {
  static register(options: MessagingOptions): DynamicModule {
    const providers: Provider[] = [
      transportProvider(options),
      relayWakerProvider,
      outboxProvider(options),
      inboxPartitionsProvider,
      {
        provide: Inbox,
        inject: [InboxPartitions],
        useFactory: (p: InboxPartitions) => new Inbox(p),
      },
      {
        provide: DeadLetters,
        inject: [DataSource],
        useFactory: (d: DataSource) => new DeadLetters(d),
      },
      // A service that only consumes publishes events about its dead letters.
      relayProvider(options),
      ...(options.consumes ? [eventServerProvider(options)] : []),
    ];
    return {
      module: MessagingModule,
      global: true,
      providers,
      exports: [TRANSPORT, Outbox, Inbox, DeadLetters, ...(options.consumes ? [EventServer] : [])],
    };
  }
}

const tuningOf = (options: MessagingOptions): MessagingTuning => ({
  ...DEFAULT_TUNING,
  ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
  ...(options.pauseOrganisations === undefined
    ? {}
    : { breaker: { ...DEFAULT_TUNING.breaker, minGroups: options.pauseOrganisations } }),
  ...options.tuning,
});

function transportProvider(options: MessagingOptions): Provider {
  const { pollMs, standbyMs } = tuningOf(options);
  const { kafka, group: clientId } = options;
  return {
    provide: TRANSPORT,
    inject: [DataSource, DATABASE_CONFIG, ServiceContext],
    useFactory: (
      dataSource: DataSource,
      database: DatabaseConfig,
      context: ServiceContext,
    ): Transport => {
      const { logger } = context;
      const transport =
        kafka === undefined
          ? new EmbeddedTransport({ dataSource, database, logger, pollMs, standbyMs })
          : new KafkaTransport({ kafka, clientId, logger });
      if (options.awaitsTopics !== false) {
        new TopicReadiness(transport, Object.values(TOPICS), context).start();
      }
      context.shutdown.add('transport', 'transport', () => transport.close());
      return transport;
    },
  };
}

const relayWakerProvider: Provider = {
  provide: RelayWaker,
  inject: [DataSource, DATABASE_CONFIG, ServiceContext],
  useFactory: (dataSource: DataSource, database: DatabaseConfig, context: ServiceContext) =>
    new RelayWaker(dataSource, relayChannel(database.schema), context.logger),
};

function outboxProvider({ group, environment }: MessagingOptions): Provider {
  return {
    provide: Outbox,
    inject: [DataSource, RelayWaker],
    useFactory: (dataSource: DataSource, waker: RelayWaker) => {
      const outbox = new Outbox({ source: group, environment }, waker);
      dataSource.subscribers.push(outbox.subscriber());
      return outbox;
    },
  };
}

const inboxPartitionsProvider: Provider = {
  provide: InboxPartitions,
  inject: [DataSource, ServiceContext],
  useFactory: (dataSource: DataSource, context: ServiceContext) =>
    new InboxPartitions(dataSource, context),
};

function relayProvider(options: MessagingOptions): Provider {
  const { pollMs, standbyMs } = tuningOf(options);
  return {
    provide: OutboxRelay,
    inject: [DATABASE_CONFIG, TRANSPORT, RelayWaker, ServiceContext, DataSource, Outbox],
    useFactory: (
      database: DatabaseConfig,
      transport: Transport,
      waker: RelayWaker,
      context: ServiceContext,
      dataSource: DataSource,
      outbox: Outbox,
    ) => {
      const relay = new OutboxRelay({
        service: context.name,
        database,
        dataSource,
        transport,
        waker,
        refused: new RefusedRows(dataSource, outbox, context.name, context.logger),
        metrics: relayMetrics(context.metrics, dataSource),
        logger: context.logger,
        pollMs,
        standbyMs,
      });
      relay.start();
      context.shutdown.add('relay', 'outbox', () => relay.stop());
      return relay;
    },
  };
}

function eventServerProvider(options: MessagingOptions): Provider {
  const tuning = tuningOf(options);
  return {
    provide: EventServer,
    inject: [TRANSPORT, DataSource, ServiceContext, InboxPartitions, Outbox],
    useFactory: (
      transport: Transport,
      dataSource: DataSource,
      context: ServiceContext,
      inboxPartitions: InboxPartitions,
      outbox: Outbox,
    ) =>
      new EventServer({
        group: options.group,
        environment: options.environment,
        topics: Object.values(TOPICS),
        transport,
        dataSource,
        context,
        inboxPartitions,
        outbox,
        concurrency: tuning.concurrency,
        windowSize: tuning.windowSize,
        retryDelaysMs: tuning.retryDelaysMs,
        parkedPollMs: tuning.pollMs,
        stallTimeoutMs: tuning.stallTimeoutMs,
        rebuildLeaseMs: tuning.rebuildLeaseMs,
        breaker: tuning.breaker,
      }),
  };
}

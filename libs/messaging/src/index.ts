import { DeadLetter } from './parked/dead-letter.entity.js';
import { InboxEntry } from './inbox/inbox-entry.entity.js';
import { CreateMessagingTables1760000000001 } from './migrations/messaging-tables.migration.js';
import { AddMessagingOperation1795210000000 } from './migrations/messaging-operation.migration.js';
import { KeepNewerRows1799500000021 } from './migrations/keep-newer-rows.migration.js';
import { KeepInboxHorizon1799500000031 } from './migrations/inbox-horizon.migration.js';
import { ReviseProjections1799300000052 } from './migrations/projection-revisions.migration.js';
import { IdentifyRecordsByContent1796400000000 } from './migrations/record-identity.migration.js';
import { PauseFailingTopics1799500000022 } from './migrations/topic-pauses.migration.js';
import { OutboxRow } from './outbox/outbox-row.entity.js';
import { ParkedEvent } from './parked/parked-event.entity.js';
import { TopicPause } from './parked/topic-pause.entity.js';
import { ProjectionState } from './projections/projection-state.entity.js';

/** Entities and migrations that every publishing or consuming service registers. */
export const messagingEntities = [
  OutboxRow,
  InboxEntry,
  ParkedEvent,
  DeadLetter,
  ProjectionState,
  TopicPause,
];
export const messagingMigrations = [
  CreateMessagingTables1760000000001,
  AddMessagingOperation1795210000000,
  IdentifyRecordsByContent1796400000000,
  ReviseProjections1799300000052,
  KeepNewerRows1799500000021,
  PauseFailingTopics1799500000022,
  KeepInboxHorizon1799500000031,
];

export { createEnvelope, type NewEvent } from './envelope/envelope.js';
export { Outbox } from './outbox/outbox.js';
export { Inbox } from './inbox/inbox.js';
export { INBOX_RETENTION_DAYS } from './inbox/inbox-days.js';
export { DeadLetters } from './parked/dead-letters.js';
export { EventContext } from './consuming/event-context.js';
export { eventEnv, type EventConfig } from './consuming/event-config.js';
export { attachEventServer } from './consuming/attach-event-server.js';
export { InfrastructureError, isInfrastructureError } from './errors/infrastructure-error.js';
export { MessagingModule } from './messaging.module.js';
export { ProjectionPattern } from './projections/projection-pattern.js';
export { ProjectionStatesRepository } from './projections/projection-states.repository.js';
export {
  IS_OUTDATED,
  isProjectedBy,
  upsertProjection,
  type RevisedProjection,
} from './projections/upsert-projection.js';
export {
  TopicsRefusedError,
  TRANSPORT,
  type IncomingRecord,
  type OutgoingRecord,
  type RecordBatch,
  type RecordReceiver,
  type Subscription,
  type Transport,
} from './transport/transport.js';
export { EVENT_LOG_SCHEMA } from './transport/embedded/event-log-schema.js';
export { parseKafkaConfig, type KafkaConfig } from './transport/kafka/kafka-config.js';
export { applyTopics, createEventLog } from './topics/open-topics.js';

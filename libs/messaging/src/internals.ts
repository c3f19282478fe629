/** Parts of this library that its test library assembles by itself; lint refuses them elsewhere. */
export { EventServer } from './consuming/event-server.js';
export type { BreakerTuning } from './consuming/topic-breaker.js';
export { InboxPartitions } from './inbox/inbox-partitions.js';
export { RelayWaker, relayChannel } from './outbox/relay-waker.js';
export { ProjectionStatesRepository } from './projections/projection-states.repository.js';
export { OutboxRelay, type OutboxRelayOptions } from './relay/outbox-relay.js';
export { RefusedRows } from './relay/refused-rows.js';
export { relayMetrics } from './relay/relay-metrics.js';
export { EmbeddedTransport } from './transport/embedded/embedded-transport.js';
export { AdminClient } from './transport/kafka/admin-client.js';
export { BrokerStatus } from './transport/kafka/broker-status.js';
export { GroupOffsets } from './transport/kafka/group-offsets.js';
export { createClient } from './transport/kafka/kafka-client.js';
export { KafkaTopics } from './transport/kafka/kafka-topics.js';
export { KafkaTransport } from './transport/kafka/kafka-transport.js';
export type { KafkaTuning } from './transport/kafka/kafka-tuning.js';
export { RecordTooLargeError } from './transport/record-size.js';
export {
  type PublishFence,
  type ReadOptions,
  type SubscribeOptions,
  type TopicAdministration,
  TopicsUnavailableError,
} from './transport/transport.js';

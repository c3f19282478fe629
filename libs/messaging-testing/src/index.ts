export { behindProxy, type ProxiedDatabase } from './fixtures/behind-proxy.js';
export { describeConsumerContract } from './contract/consumer-contract.js';
export { describeFailureContract } from './contract/failure-contract.js';
export { describeGroupContract } from './contract/group-contract.js';
export { describeProjectionContract } from './contract/projection-contract.js';
export { describePublishingContract, nextLeader } from './contract/publishing-contract.js';
export { describeReadingContract } from './contract/reading-contract.js';
export { describeTransportContract } from './contract/transport-contract.js';
export { Collector } from './fixtures/collector.js';
export {
  type FactData,
  type FactHandler,
  type RunningConsumer,
  aFact,
  anEventServer,
  asRecord,
  startConsumer,
} from './fixtures/consumer.fixture.js';
export {
  type Conditions,
  ENVIRONMENT,
  type TransportHarness,
  aGroup,
  aTopic,
} from './fixtures/harness.js';
export { type MessagingFixture, messagingFixture } from './fixtures/messaging.fixture.js';
export {
  aRelay,
  expectOrderUpToDuplicates,
  fillOutbox,
  publishedVersions,
} from './fixtures/relay.fixture.js';
export { runOperator } from './fixtures/run-operator.js';
export type { ServiceProcess } from './fixtures/service-process.js';
export { versions } from './fixtures/use-consumers.js';
export { useKafka } from './fixtures/use-kafka.js';
export { record } from './fixtures/use-transports.js';

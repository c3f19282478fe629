import {
  describeConsumerContract,
  describeFailureContract,
  describeGroupContract,
  describeProjectionContract,
  describePublishingContract,
  describeReadingContract,
  describeTransportContract,
  messagingFixture,
  type TransportHarness,
} from '@bascule/messaging-testing';
import { EmbeddedTopics } from './embedded-topics.js';
import { EmbeddedTransport } from './embedded-transport.js';

async function open(): Promise<TransportHarness> {
  const fixture = await messagingFixture('contract');
  return {
    dataSource: fixture.dataSource,
    connect: ({ partitionsMaxAgeMs = 10_000 } = {}) =>
      Promise.resolve(
        new EmbeddedTransport({ ...fixture, pollMs: 50, standbyMs: 50, partitionsMaxAgeMs }),
      ),
    topics: new EmbeddedTopics(fixture.dataSource),
    close: () => fixture.close(),
  };
}

describeTransportContract('the embedded transport', open);
describeGroupContract('the embedded transport', open);
describeReadingContract('the embedded transport', open);
describePublishingContract('the embedded transport', open);
describeConsumerContract('the embedded transport', open);
describeFailureContract('the embedded transport', open);
describeProjectionContract('the embedded transport', open);

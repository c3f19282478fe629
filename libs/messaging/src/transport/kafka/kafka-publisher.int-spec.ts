import { aTopic, Collector, nextLeader, record, useKafka } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import kafkajs from 'kafkajs';
import { once } from 'node:events';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { TransportUnavailableError } from '../transport.js';
import { BrokerStatus } from './broker-status.js';
import { createClient, RETRY } from './kafka-client.js';
import { KafkaPublisher } from './kafka-publisher.js';
import { DEFAULT_TUNING } from './kafka-tuning.js';

/** Network between a client and its broker that delivers what it withholds, even after the client has hung up. */
class SlowNetwork {
  private readonly connections: { upstream: Socket; withheld: Buffer[] | null }[] = [];
  private server: Server | undefined;

  async open(broker: string): Promise<void> {
    const [host = '', port = ''] = broker.split(':');
    this.server = createServer((client) => {
      const upstream = connectTo(Number(port), host);
      const connection: (typeof this.connections)[number] = { upstream, withheld: null };
      this.connections.push(connection);
      client.on('data', (chunk) => {
        if (connection.withheld === null) upstream.write(chunk);
        else connection.withheld.push(chunk);
      });
      upstream.on('data', (chunk) => client.writable && client.write(chunk));
      client.on('close', () => connection.withheld ?? upstream.destroy());
      for (const socket of [client, upstream]) socket.on('error', () => undefined);
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  connect = ({ onConnect }: { onConnect: () => void }): Socket => {
    const address = this.server?.address();
    if (typeof address !== 'object' || address === null) throw new Error('not open');
    return connectTo(address.port, '127.0.0.1', onConnect);
  };

  /** Withholds what clients send on the connections of this time. */
  withhold(): void {
    for (const connection of this.connections) connection.withheld ??= [];
  }

  get withheldBytes(): number {
    return this.connections
      .flatMap(({ withheld }) => withheld ?? [])
      .reduce((n, b) => n + b.length, 0);
  }

  /** Resolves when the broker has answered what was withheld. */
  async deliver(): Promise<void> {
    const late = this.connections.filter(({ withheld }) => (withheld ?? []).length > 0);
    await Promise.all(
      late.map(async ({ upstream, withheld }) => {
        const answered = once(upstream, 'data');
        upstream.write(Buffer.concat(withheld ?? []));
        await answered;
      }),
    );
  }

  close(): void {
    for (const { upstream } of this.connections) upstream.destroy();
    this.server?.close();
  }
}

describe('KafkaPublisher', () => {
  const use = useKafka();
  const network = new SlowNetwork();
  const publishers: KafkaPublisher[] = [];
  afterEach(async () => {
    await Promise.all(publishers.splice(0).map((publisher) => publisher.close()));
    network.close();
  });

  // Protection: createFencedProducer, whose epoch grows with each producer of the outbox.
  it('lets no publish that timed out land behind the records of the next producer, however late the network delivers it', async () => {
    const topic = aTopic(1);
    await use.create(topic);
    const [broker = ''] = use.brokers();
    await network.open(broker);
    const logger = createLogger({ service: 'contract', level: 'silent' });
    const publisher = new KafkaPublisher({
      kafka: new kafkajs.Kafka({
        ...{ clientId: 'contract', brokers: [broker], retry: RETRY },
        logLevel: kafkajs.logLevel.NOTHING,
        socketFactory: network.connect,
      }),
      clientId: 'contract',
      status: new BrokerStatus([broker], logger),
      tuning: { ...DEFAULT_TUNING, publishMs: 3_000 },
    });
    publishers.push(publisher);
    const fence = await nextLeader(use.dataSource());
    const publish = (...values: string[]) =>
      publisher.publish(
        values.map((value) => record(topic.name, 'key', value)),
        fence,
      );
    const values = async (): Promise<string[]> => {
      const collector = new Collector();
      await use.transport().read({ topics: [topic.name], receiver: collector });
      return collector.valuesOf('key');
    };
    await eventually(() => publish('1'));
    network.withhold();
    await expect(publish('2')).rejects.toThrow(TransportUnavailableError);
    expect(network.withheldBytes).toBeGreaterThan(0);
    await eventually(() => publish('2', '3'));
    const before = await values();
    await network.deliver();
    await eventually(() => publish('4'));

    const after = await values();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(new Set(after.slice(before.length))).toEqual(new Set(['4']));
  });

  it('replaces an old producer before the brokers forget its transactional id', async () => {
    const topic = aTopic(1);
    await use.create(topic);
    const brokers = use.brokers();
    const logger = createLogger({ service: 'contract', level: 'silent' });
    const publisherOf = (producerMaxAgeMs: number): KafkaPublisher => {
      const publisher = new KafkaPublisher({
        kafka: createClient({ brokers }, 'contract', logger),
        clientId: 'contract',
        status: new BrokerStatus(brokers, logger),
        tuning: { ...DEFAULT_TUNING, producerMaxAgeMs },
      });
      publishers.push(publisher);
      return publisher;
    };
    const leader = await nextLeader(use.dataSource());
    for (const [maxAgeMs, producers] of [
      [0, 2],
      [60_000, 1],
    ] as const) {
      const publisher = publisherOf(maxAgeMs);
      const assertHeld = jest.fn(leader.assertHeld);
      const fence = { ...leader, assertHeld };
      for (const value of ['1', '2']) {
        await publisher.publish([record(topic.name, 'key', value)], fence);
      }
      expect(assertHeld).toHaveBeenCalledTimes(producers);
    }
  });
});

import { aTopic, Collector, nextLeader, record, useKafka } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { once } from 'node:events';
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { TransportUnavailableError } from '../transport.js';
import { BrokerStatus } from './broker-status.js';
import { RETRY } from './kafka-client.js';
import { KafkaPublisher } from './kafka-publisher.js';

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

describe('a publish that timed out', () => {
  const use = useKafka();
  const network = new SlowNetwork();
  const publishers: KafkaPublisher[] = [];
  afterEach(async () => {
    await Promise.all(publishers.splice(0).map((publisher) => publisher.close()));
    network.close();
  });

  // Protection: createFencedProducer, whose epoch grows with each producer of the outbox.
  it('does not land behind the records of the next producer when the network delivers it late', async () => {
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
      tuning: { metadataMaxAgeMs: 60_000, publishMs: 3_000 },
    });
    publishers.push(publisher);
    const fence = await nextLeader(use.dataSource());
    const publish = (...values: string[]) =>
      publisher.publish(
        values.map((value) => record(topic.name, 'key', value)),
        fence,
      );
    await eventually(() => publish('1'));
    network.withhold();
    await expect(publish('2')).rejects.toThrow(TransportUnavailableError);
    expect(network.withheldBytes).toBeGreaterThan(0);
    await eventually(() => publish('2', '3'));
    await publish('4');
    await network.deliver();
    await publish('5');

    const collector = new Collector();
    await use.transport().read({ topics: [topic.name], receiver: collector });
    const values = collector.valuesOf('key').map(Number);
    expect(values.toSorted((a, b) => a - b)).toEqual(values);
    expect(new Set(values)).toEqual(new Set([1, 2, 3, 4, 5]));
  });
});

import { type LocalKafka, removeKafka, startKafka } from '@bascule/local-stack';
import { aGroup, aTopic, Collector, record } from '@bascule/messaging-testing';
import { createLogger } from '@bascule/process';
import { eventually, ownKafkaDirectory } from '@bascule/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Subscription, TransportUnavailableError } from '../transport.js';
import type { KafkaConfig } from './kafka-config.js';
import { KafkaTopics } from './kafka-topics.js';
import { KafkaTransport } from './kafka-transport.js';

const USER = { username: 'payment', password: 'right' };
const NOWHERE = '127.0.0.1:9';
/** Startup timeout of the broker on a busy machine. */
const START_MS = 180_000;

describe('access to the brokers', () => {
  const directory = ownKafkaDirectory('access');
  const topic = aTopic(1);
  const transports: KafkaTransport[] = [];
  const lines: string[] = [];
  let server: LocalKafka;

  const logger = createLogger(
    { service: 'access', level: 'info' },
    { write: (line: string) => lines.push(line) },
  );
  const connect = (kafka: KafkaConfig): KafkaTransport => {
    const transport = new KafkaTransport({ kafka, clientId: 'access', logger });
    transports.push(transport);
    return transport;
  };
  const tls = () => ({ ca: server.certificate ?? '' });
  const reasonOf = async (transport: KafkaTransport): Promise<string> => {
    const failure: unknown = await transport.missingTopics([topic]).catch((e: unknown) => e);
    if (!(failure instanceof TransportUnavailableError)) throw new Error('connection was accepted');
    return failure.message;
  };

  beforeAll(async () => {
    server = await startKafka({ directory, sasl: USER, tls: true });
    const topics = new KafkaTopics({ kafka: { brokers: server.brokers }, logger });
    await topics.apply([topic]);
    await topics.close();
  }, START_MS);
  afterEach(async () => {
    await Promise.all(transports.splice(0).map((transport) => transport.close()));
    lines.length = 0;
  });
  afterAll(() => removeKafka(directory));

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)(
    'is granted with the right password, by %s over TLS',
    async (mechanism) => {
      const sasl = { mechanism, ...USER };
      const transport = connect({ brokers: server.tlsBrokers, tls: tls(), sasl });
      expect(await transport.missingTopics([topic])).toEqual([]);
      await transport.publish([record(topic.name, mechanism, 'x')]);
    },
  );

  it('is denied with a reason that names the problem and no secret', async () => {
    const { saslBrokers, tlsBrokers, brokers } = server;
    const sasl = { mechanism: 'plain', ...USER } as const;
    const wrong = { ...sasl, password: 'wrong-and-secret' };
    const scram = { ...wrong, mechanism: 'scram-sha-512' } as const;
    const cases: [KafkaConfig, RegExp][] = [
      [
        { brokers: [NOWHERE, '127.0.0.1:10'] },
        /^Kafka: no broker reachable \(127\.0\.0\.1:9, .*:10\)$/,
      ],
      [{ brokers: saslBrokers, sasl: wrong }, /^Kafka: SASL authentication failed$/],
      [{ brokers: saslBrokers, sasl: scram }, /^Kafka: SASL authentication failed$/],
      [{ brokers: tlsBrokers, tls: {}, sasl }, /^Kafka: TLS to .*:\d+ failed: self-signed cert/],
      [{ brokers, tls: {} }, /^Kafka: (TLS to 127\.0\.0\.1:\d+ failed|no broker reachable)/],
      [{ brokers: saslBrokers }, /^Kafka: no broker reachable \(127\.0\.0\.1:\d+\)/],
    ];
    const reasons: string[] = [];
    // A client that times out before the refusal gets the reason at its next attempt.
    const denials = cases.map(([kafka, expected]) =>
      eventually(async () => {
        const reason = await reasonOf(connect(kafka));
        reasons.push(reason);
        expect(reason).toMatch(expected);
      }),
    );
    await Promise.all(denials);
    expect([...reasons, ...lines].join()).not.toContain(wrong.password);
  });

  it(
    'is retried with a rate-limited log, and used as soon as it is granted',
    async () => {
      const password = 'not-yet';
      const transport = connect({
        brokers: server.saslBrokers,
        sasl: { mechanism: 'plain', username: USER.username, password },
      });
      const collector = new Collector();
      const subscription: Subscription = await transport.subscribe({
        group: aGroup(),
        topics: [topic.name],
        receiver: collector,
      });
      await eventually(() => {
        expect(subscription.state()).toMatchObject({ joined: false, brokerReachable: false });
      });
      for (let times = 0; times < 2; times += 1) {
        await eventually(() =>
          expect(subscription.progress()).rejects.toThrow('Kafka: SASL authentication failed'),
        );
      }
      await expect(transport.publish([record(topic.name, 'key', 'x')])).rejects.toThrow(
        TransportUnavailableError,
      );
      const said = lines.filter((line) =>
        line.includes('"msg":"Kafka: SASL authentication failed"'),
      );
      expect(said).toHaveLength(1);

      await server.stop();
      await startKafka({ directory, sasl: { ...USER, password }, tls: true });
      await eventually(
        () => {
          expect(subscription.state()).toMatchObject({ joined: true, brokerReachable: true });
        },
        { timeoutMs: 60_000 },
      );
      await transport.publish([record(topic.name, 'late', 'arrived')]);
      await eventually(() => {
        expect(collector.valuesOf('late')).toEqual(['arrived']);
      });
    },
    START_MS,
  );
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Certificate } from './certificate.js';
import type { Node } from './layout.js';
import type { KafkaOptions } from './kafka-options.js';

/** `server.properties` of one node, which is broker and controller. */
export function serverProperties(
  node: Node,
  nodes: readonly Node[],
  options: KafkaOptions,
  certificate: Certificate | null,
): string {
  const replicas = nodes.length;
  const listeners = [
    ['PLAINTEXT', node.port, 'PLAINTEXT'],
    ['CONTROLLER', node.controllerPort, 'PLAINTEXT'],
    ...(options.sasl ? [['SASL', node.saslPort, 'SASL_PLAINTEXT']] : []),
    ...(certificate ? [['TLS', node.tlsPort, options.sasl ? 'SASL_SSL' : 'SSL']] : []),
  ].map(([name, port, protocol]) => ({
    address: `${name}://127.0.0.1:${port}`,
    protocol: `${name}:${protocol}`,
  }));
  const settings: Record<string, string | number> = {
    'process.roles': 'broker,controller',
    'node.id': node.id,
    'controller.quorum.voters': nodes
      .map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`)
      .join(','),
    listeners: listeners.map(({ address }) => address).join(','),
    'listener.security.protocol.map': listeners.map(({ protocol }) => protocol).join(','),
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'log.dirs': join(node.directory, 'data'),
    // Topics are declared and created by a command, never by a client's request.
    'auto.create.topics.enable': 'false',
    'default.replication.factor': replicas,
    'min.insync.replicas': Math.max(1, replicas - 1),
    'offsets.topic.replication.factor': replicas,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': replicas,
    'transaction.state.log.min.isr': Math.max(1, replicas - 1),
    'transaction.state.log.num.partitions': 4,
    'group.initial.rebalance.delay.ms': 0,
    // Tests use sessions of a second instead of half a minute.
    'group.min.session.timeout.ms': 500,
    // A lost broker is noticed after this long; the default is 9 s.
    'broker.session.timeout.ms': 3_000,
    'broker.heartbeat.interval.ms': 500,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'log.index.size.max.bytes': 1_048_576,
    'log.cleaner.backoff.ms': 1_000,
    'log.retention.check.interval.ms': 10_000,
    ...saslSettings(options),
    ...tlsSettings(certificate),
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** PLAIN takes its users from here, SCRAM those that `formatArguments` stored. */
function saslSettings({ sasl }: KafkaOptions): Record<string, string> {
  if (!sasl) return {};
  const plain =
    'org.apache.kafka.common.security.plain.PlainLoginModule required' +
    ` user_${sasl.username}="${sasl.password}";`;
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  const logins = ['sasl', 'tls'].flatMap((name): [string, string][] => [
    [`listener.name.${name}.plain.sasl.jaas.config`, plain],
    [`listener.name.${name}.scram-sha-256.sasl.jaas.config`, scram],
    [`listener.name.${name}.scram-sha-512.sasl.jaas.config`, scram],
  ]);
  return {
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    ...Object.fromEntries(logins),
  };
}

function tlsSettings(certificate: Certificate | null): Record<string, string> {
  if (certificate === null) return {};
  return {
    'listener.name.tls.ssl.keystore.type': 'PKCS12',
    'listener.name.tls.ssl.keystore.location': certificate.keyStore,
    'listener.name.tls.ssl.keystore.password': certificate.password,
  };
}

export function formatArguments({ sasl }: KafkaOptions): string[] {
  if (!sasl) return [];
  const user = `name=${sasl.username},password=${sasl.password}`;
  return ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[${user}]`,
  ]);
}

/** Logs the broker's start and all errors, nothing else. */
export const LOGGING = `status = error
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{ISO8601} %p %m (%c)%n
rootLogger.level = warn
rootLogger.appenderRef.console.ref = console
logger.server.name = kafka.server.KafkaRaftServer
logger.server.level = info
`;

export const hasStarted = (log: string, from: number): boolean =>
  readFileSync(log, 'utf8').slice(from).includes('Kafka Server started');

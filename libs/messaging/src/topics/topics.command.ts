import { TOPICS, type TopicDefinition } from '@bascule/contracts';
import { ConfigurationError, integer, parseConfig, sensitive, url } from '@bascule/process';
import { parseKafkaConfig } from '../transport/kafka/kafka-config.js';
import { TopicsRefusedError, TransportUnavailableError } from '../transport/transport.js';
import { applyTopics, type TopicsPlace } from './open-topics.js';

const USAGE = `list | plan | apply
  list   what is declared
  plan   what apply would do
  apply  creates what is missing, adds partitions, alters settings; a second time it does nothing
The cluster is that of KAFKA_BROKERS (with KAFKA_TLS, KAFKA_SASL_… as the services have them; KAFKA_TOPIC_REPLICATION
copies of each partition); without it, the event log in the database DATABASE_URL.`;

function placeOf(env: NodeJS.ProcessEnv): TopicsPlace {
  const kafka = parseKafkaConfig(env);
  if (kafka !== undefined) {
    const { KAFKA_TOPIC_REPLICATION: replication } = parseConfig(env, {
      KAFKA_TOPIC_REPLICATION: integer({ min: 1, default: 0 }),
    });
    return { kafka, replication: replication === 0 ? undefined : replication };
  }
  const { DATABASE_URL: databaseUrl } = parseConfig(env, { DATABASE_URL: sensitive(url()) });
  return { databaseUrl };
}

const line = ({ name, partitions, cleanup, key, schema }: TopicDefinition): string => {
  const days =
    (cleanup.policy === 'compact' ? cleanup.minCompactionLagMs : cleanup.retentionMs) / 86_400_000;
  return `${name}: ${partitions} partitions by ${key}, ${cleanup.policy} after ${days} days, schema ${schema.version}`;
};

async function main(command: string | undefined): Promise<string[]> {
  if (command === 'list') return Object.values(TOPICS).map(line);
  if (command !== 'plan' && command !== 'apply') throw new Error(USAGE);
  const dryRun = command === 'plan';
  const changes = await applyTopics(placeOf(process.env), { dryRun });
  if (changes.length === 0) return ['the topics are as declared'];
  return changes.map(({ topic, change }) => `${topic}: ${dryRun ? 'would ' : ''}${change}`);
}

/** What went wrong, without the stack where the message says it all. */
const isExplained = (error: unknown): error is Error =>
  error instanceof TopicsRefusedError ||
  error instanceof TransportUnavailableError ||
  error instanceof ConfigurationError ||
  (error instanceof Error && error.message === USAGE);

try {
  process.stdout.write(`${(await main(process.argv[2])).join('\n')}\n`);
} catch (error) {
  if (!isExplained(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

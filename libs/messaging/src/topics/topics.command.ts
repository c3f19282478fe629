import { TOPICS, type TopicDefinition } from '@bascule/contracts';
import { runCommand, UsageError } from '@bascule/operator-commands';
import { integer, parseConfig, sensitive, url } from '@bascule/process';
import { parseKafkaConfig } from '../transport/kafka/kafka-config.js';
import { applyTopics, type TopicsLocation } from './open-topics.js';

/** The cluster of `KAFKA_BROKERS`; without it, the event log in the database of `DATABASE_URL`. */
function locationOf(env: NodeJS.ProcessEnv): TopicsLocation {
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

async function linesOf(command: string | undefined): Promise<string[]> {
  if (command === 'list') return Object.values(TOPICS).map(line);
  if (command !== 'plan' && command !== 'apply') {
    throw new UsageError(`unknown command: ${command ?? ''}`);
  }
  const dryRun = command === 'plan';
  const changes = await applyTopics(locationOf(process.env), { dryRun });
  if (changes.length === 0) return ['the topics are as declared'];
  return changes.map(({ topic, change }) => `${topic}: ${dryRun ? 'would ' : ''}${change}`);
}

/** `npm run operator -- topics list | plan | apply`, a step of every deployment. */
process.exitCode = await runCommand('topics', async (output) => {
  for (const text of await linesOf(process.argv[2])) output.line(text);
});

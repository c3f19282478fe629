import { TOPICS } from '@bascule/contracts';
import { applyTopics, TopicsRefusedError, type KafkaConfig } from '@bascule/messaging';
import type { DatabaseConfig } from '@bascule/persistence';
import type { Check, Outcome, Probe } from '../finding.js';
import { missing, ok, wrong } from '../finding.js';
import { validServices } from '../deployment.js';

/** Topics exist as this version declares them, by the credentials of each service. */
export const topics: Check = {
  name: 'topics',
  probes: (deployment) =>
    validServices(deployment).flatMap(({ name, facts: { hasEvents, kafka, database } }) => {
      if (!hasEvents) return [];
      return kafka === undefined ? eventLogProbe(name, database) : [kafkaProbe(name, kafka)];
    }),
};

const kafkaProbe = (name: string, kafka: KafkaConfig): Probe => ({
  subject: `${name} at ${kafka.brokers.join(', ')}`,
  read: () => outcomesOf({ kafka }),
});

const eventLogProbe = (name: string, database: DatabaseConfig | undefined): readonly Probe[] =>
  database === undefined
    ? []
    : [
        {
          subject: `${name} in the event log of Postgres`,
          read: () => outcomesOf({ databaseUrl: database.directUrl }),
        },
      ];

async function outcomesOf(
  location: Parameters<typeof applyTopics>[0],
): Promise<readonly Outcome[]> {
  try {
    const changes = await applyTopics(location, { dryRun: true });
    if (changes.length === 0) return [ok(`${Object.keys(TOPICS).length} topics`)];
    return changes.map(({ topic, change }) =>
      (change.startsWith('create') ? missing : wrong)(
        `${topic}: needs to ${change}`,
        'run npm run operator -- topics apply',
      ),
    );
  } catch (error) {
    if (!(error instanceof TopicsRefusedError)) throw error;
    return error.reasons.map((reason) => wrong(reason, 'correct the topic by hand'));
  }
}

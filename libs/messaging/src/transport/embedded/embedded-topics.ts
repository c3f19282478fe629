import type { TopicDefinition } from '@bascule/contracts';
import type { DataSource } from 'typeorm';
import { changesOf, planOf, type WantedTopic } from '../topic-comparison.js';
import { type TopicAdministration, type TopicChange, TopicsRefusedError } from '../transport.js';
import { loadTopics, saveTopic, settingsOf } from './log-topics.js';

const LOCK = `SELECT pg_advisory_xact_lock(hashtext('bascule-event-log'), 1)`;

/** Topics of the log in Postgres. */
export class EmbeddedTopics implements TopicAdministration {
  constructor(
    private readonly dataSource: DataSource,
    /** Closes the data source, if it was opened for this object. */
    readonly close: () => Promise<void> = () => Promise.resolve(),
  ) {}

  apply(
    topics: readonly TopicDefinition[],
    { dryRun = false }: { dryRun?: boolean } = {},
  ): Promise<TopicChange[]> {
    return this.dataSource.transaction(async (manager) => {
      await manager.query(LOCK);
      const present = await loadTopics(manager);
      const steps = topics.map((definition) => {
        const wanted: WantedTopic = {
          definition,
          settings: settingsOf(definition),
          replication: null,
        };
        return { wanted, plan: planOf(wanted, present.get(definition.name)) };
      });
      const refusals = steps.flatMap(({ plan }) => plan.refusals);
      if (refusals.length > 0) throw new TopicsRefusedError(refusals);
      if (!dryRun) {
        for (const { wanted } of steps) await saveTopic(manager, wanted.definition);
      }
      return steps.flatMap(({ plan, wanted }) => changesOf(plan, wanted));
    });
  }
}

import type { TopicDefinition } from '@bascule/contracts';
import type { TopicChange } from './transport.js';

/** Topic as the broker has it. */
export interface PresentTopic {
  partitions: number;
  policy: string;
  /** Key of its records; null when not recorded. */
  key: string | null;
  /** Alterable settings, by the broker's names. */
  settings: Readonly<Record<string, string>>;
  /** Smallest replica count of its partitions. */
  replication: number | null;
}

/** Topic as declared. */
export interface WantedTopic {
  definition: TopicDefinition;
  settings: Readonly<Record<string, string>>;
  /** Declared replicas; null accepts any. */
  replication: number | null;
}

export interface TopicPlan {
  topic: string;
  create: boolean;
  /** Whether the key of its records is recorded. */
  keyIsKnown: boolean;
  /** New number of partitions. */
  partitions: number | null;
  /** Settings to alter. */
  settings: Readonly<Record<string, string>>;
  /** Reasons why a topic with records cannot be changed in this way. */
  refusals: readonly string[];
}

export function planOf(wanted: WantedTopic, present: PresentTopic | undefined): TopicPlan {
  const { definition, settings } = wanted;
  const topic = definition.name;
  if (present === undefined) {
    return { topic, create: true, keyIsKnown: false, partitions: null, settings: {}, refusals: [] };
  }
  const altered = Object.entries(settings).filter(
    ([name, value]) => present.settings[name] !== value,
  );
  return {
    topic,
    create: false,
    keyIsKnown: present.key !== null,
    partitions: definition.partitions > present.partitions ? definition.partitions : null,
    settings: Object.fromEntries(altered),
    refusals: refusalsOf(wanted, present),
  };
}

function refusalsOf({ definition, replication }: WantedTopic, present: PresentTopic): string[] {
  const { name, partitions, cleanup, key } = definition;
  const refusals: string[] = [];
  if (partitions < present.partitions) {
    refusals.push(
      `${name}: partitions cannot be removed (found ${present.partitions}, declared ${partitions})`,
    );
  }
  if (cleanup.policy !== present.policy) {
    refusals.push(
      `${name}: the clean-up policy cannot change from ${present.policy} to ${cleanup.policy}`,
    );
  }
  if (present.key !== null && key !== present.key) {
    refusals.push(`${name}: the key cannot change from "${present.key}" to "${key}"`);
  }
  if (replication !== null && present.replication !== null && replication !== present.replication) {
    refusals.push(
      `${name}: the replication cannot change from ${present.replication} to ${replication} here; reassign its partitions`,
    );
  }
  return refusals;
}

export function changesOf(plan: TopicPlan, wanted: WantedTopic): TopicChange[] {
  const { topic } = plan;
  const { partitions, cleanup } = wanted.definition;
  if (plan.create) {
    const settings = Object.entries(wanted.settings).map(([name, value]) => `${name}=${value}`);
    const all = [cleanup.policy, ...settings].join(', ');
    return [{ topic, change: `create with ${partitions} partitions, ${all}` }];
  }
  return [
    ...(plan.partitions === null
      ? []
      : [
          {
            topic,
            change: `grow to ${plan.partitions} partitions (keys move, so the order of a key's records breaks once)`,
          },
        ]),
    ...Object.entries(plan.settings).map(([name, value]) => ({
      topic,
      change: `set ${name} to ${value}`,
    })),
  ];
}

/** Deviations that a service cannot work with, one sentence each. */
export function contradictionsOf(
  { name, partitions, cleanup }: TopicDefinition,
  present: Pick<PresentTopic, 'partitions' | 'policy'> | undefined,
): string[] {
  if (present === undefined) return [`topic ${name} is missing`];
  const contradictions: string[] = [];
  if (present.partitions < partitions) {
    contradictions.push(
      `topic ${name} has ${present.partitions} partitions, expected ${partitions}`,
    );
  }
  if (present.policy !== cleanup.policy) {
    contradictions.push(
      `topic ${name} has the clean-up policy ${present.policy}, expected ${cleanup.policy}`,
    );
  }
  return contradictions;
}

import { integer } from '@bascule/process';

/** Environment variables of a consuming service, to spread into its own. */
export const eventEnv = {
  EVENT_CONCURRENCY: integer({
    min: 1,
    default: 32,
    desc: 'events of one topic handled concurrently, each of another key',
  }),
  EVENT_PAUSE_ORGANISATIONS: integer({
    min: 1,
    max: 8,
    default: 3,
    desc: 'organisations whose events fail before a topic pauses, where as many are known; 1 in a deployment of one organisation',
  }),
};

export interface EventConfig {
  readonly EVENT_CONCURRENCY: number;
  readonly EVENT_PAUSE_ORGANISATIONS: number;
}

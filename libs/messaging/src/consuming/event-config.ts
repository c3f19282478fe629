import { integer } from '@bascule/process';

/** Environment variables of a consuming service, to spread into its own. */
export const eventEnv = {
  EVENT_CONCURRENCY: integer({
    min: 1,
    default: 32,
    desc: 'events of one topic handled concurrently, each of another key',
  }),
};

export interface EventConfig {
  readonly EVENT_CONCURRENCY: number;
}

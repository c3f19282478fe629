import { integer } from '@bascule/process';

/** Spread into the variables of a service that consumes. */
export const eventEnv = {
  EVENT_CONCURRENCY: integer({
    min: 1,
    default: 32,
    desc: 'events of one topic handled at the same time, each of another key',
  }),
};

export interface EventConfig {
  readonly EVENT_CONCURRENCY: number;
}

import { createLogger } from '@bascule/process';
import type { DataSource } from 'typeorm';
import { TopicPausesRepository } from '../../parked/topic-pauses.repository.js';
import { type BreakerTuning, TopicBreaker } from '../topic-breaker.js';

/** Breaker of one topic that probes nothing by itself. */
export function aTopicBreaker(
  dataSource: DataSource,
  topic: string,
  tuning: Partial<BreakerTuning> = {},
  pollMs = 20,
): TopicBreaker {
  const breaker = new TopicBreaker({
    topics: [topic],
    pauses: new TopicPausesRepository(dataSource),
    logger: createLogger({ service: 'test', level: 'silent' }),
    pollMs,
    tuning: { minKeys: 8, minGroups: 3, firstProbeMs: 1e9, longestProbeMs: 1e9, ...tuning },
  });
  breaker.start(() => Promise.resolve());
  return breaker;
}

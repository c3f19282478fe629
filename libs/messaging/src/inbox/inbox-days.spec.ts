import { TOPICS, type TopicDefinition } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { INBOX_RETENTION_DAYS, partitionName, partitionsToDrop, shiftDay } from './inbox-days.js';

describe('the inbox’s days', () => {
  it('cross months and years', () => {
    expect(shiftDay('2027-12-31', 1)).toBe('2028-01-01');
    expect(shiftDay('2028-03-01', -1)).toBe('2028-02-29');
  });

  it('are dropped once the whole day is older than the retention', () => {
    const names = ['2026-10-01', '2026-10-02', '2026-10-31'].map(partitionName);
    expect(partitionsToDrop([...names, 'inbox_old_backup'], '2026-11-01', 30)).toEqual([
      'inbox_20261001',
    ]);
  });

  it('cover the time for which a topic keeps every record', () => {
    const topics: readonly TopicDefinition[] = Object.values(TOPICS);
    const days = topics.map(
      ({ cleanup }) =>
        (cleanup.policy === 'compact' ? cleanup.minCompactionLagMs : cleanup.retentionMs) /
        86_400_000,
    );
    expect(INBOX_RETENTION_DAYS).toBeGreaterThan(Math.max(...days));
  });
});

import { createLogger } from '@bascule/process';
import { eventually } from '@bascule/testing';
import { describe, expect, it } from '@jest/globals';
import { OffsetCommits, type Position } from './offset-commits.js';

const logger = createLogger({ service: 'commits', level: 'silent' });
const position = (next: bigint): Position => ({ topic: 't', partition: 0, next });

describe('OffsetCommits', () => {
  function failing(times: number) {
    const tried: bigint[] = [];
    const commits = new OffsetCommits((positions) => {
      tried.push(...positions.map(({ next }) => next));
      return tried.length <= times ? Promise.reject(new Error('away')) : Promise.resolve();
    }, logger);
    return { tried, commits };
  }

  it('retries a failed commit although no other follows', async () => {
    const { tried, commits } = failing(2);
    commits.add(position(5n));
    await eventually(() => {
      expect(tried).toEqual([5n, 5n, 5n]);
    });
    await commits.flush();
    expect(tried).toHaveLength(3);
  });

  it('retries the newest position of each partition', async () => {
    const { tried, commits } = failing(1);
    commits.add(position(5n));
    await commits.flush();
    commits.add(position(6n));
    await eventually(() => {
      expect(tried).toEqual([5n, 6n]);
    });
  });

  it('does not retry commits of revoked partitions', async () => {
    const { tried, commits } = failing(1);
    commits.add(position(5n));
    await commits.flush();
    commits.end();
    commits.add(position(6n));
    await commits.flush();
    expect(tried).toEqual([5n]);
  });
});

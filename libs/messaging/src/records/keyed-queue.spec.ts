import { describe, expect, it } from '@jest/globals';
import { KeyedQueue } from './keyed-queue.js';

interface Job {
  key: string;
  name: string;
  finish: () => void;
}

/** Records what has started; every job runs until the test finishes it. */
function harness(concurrency: number) {
  const queue = new KeyedQueue(concurrency);
  const started: Job[] = [];
  const add = (key: string, name: string): void => {
    queue.add(
      key,
      () => new Promise<void>((resolve) => started.push({ key, name, finish: resolve })),
    );
  };
  const names = (): string[] => started.map((job) => job.name);
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  return { add, started, names, settle };
}

describe('KeyedQueue', () => {
  it('runs the tasks of one key one after the other', async () => {
    const { add, started, names, settle } = harness(8);
    add('a', 'a1');
    add('a', 'a2');
    await settle();
    expect(names()).toEqual(['a1']);
    started[0]?.finish();
    await settle();
    expect(names()).toEqual(['a1', 'a2']);
  });

  it('runs other keys while one is stuck', async () => {
    const { add, started, names, settle } = harness(2);
    add('stuck', 's1');
    add('stuck', 's2');
    for (const name of ['b1', 'b2', 'b3']) add('b', name);
    for (let turn = 1; turn <= 3; turn += 1) {
      await settle();
      started.at(-1)?.finish();
    }
    await settle();
    expect(names()).toEqual(['s1', 'b1', 'b2', 'b3']);
  });

  it('respects its limit and gives every key a turn', async () => {
    const { add, started, names, settle } = harness(1);
    for (const name of ['a1', 'a2']) add('a', name);
    add('b', 'b1');
    for (let turn = 0; turn < 3; turn += 1) {
      await settle();
      expect(started).toHaveLength(turn + 1);
      started[turn]?.finish();
    }
    expect(names()).toEqual(['a1', 'b1', 'a2']);
  });
});

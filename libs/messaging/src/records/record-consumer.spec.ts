import { describe, expect, it } from '@jest/globals';
import type { IncomingRecord, Subscription } from '../transport/transport.js';
import { RecordConsumer } from './record-consumer.js';

const address = { topic: 't', partition: 0 };
const record = (offset: number, key: string): IncomingRecord => ({
  ...address,
  offset: BigInt(offset),
  key,
  headers: {},
  value: Buffer.alloc(0),
});

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function harness(windowSize = 100) {
  const commits: bigint[] = [];
  const running = new Map<bigint, { finish: () => void; fail: () => void; signal: AbortSignal }>();
  const consumer = new RecordConsumer({
    prepare: () => Promise.resolve(),
    process: ({ offset }, signal) =>
      new Promise<void>((resolve, reject) => {
        running.set(offset, {
          signal,
          finish: resolve,
          fail: () => {
            reject(new Error('stopped'));
          },
        });
      }),
    concurrency: 8,
    windowSize,
  });
  const subscription: Subscription = {
    commit: ({ next }) => commits.push(next),
    progress: () => Promise.resolve([]),
    state: () => ({ assigned: true, joined: true, fetchedAt: null, brokerReachable: true }),
    restart: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
  consumer.attach(subscription);
  return { consumer, commits, running };
}

describe('RecordConsumer', () => {
  it('commits finished records in order', async () => {
    const { consumer, commits, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a'), record(1, 'b')] });
    running.get(1n)?.finish();
    await settle();
    expect(commits).toEqual([]);
    running.get(0n)?.finish();
    await settle();
    expect(commits).toEqual([2n]);
  });

  it('accepts more records while others are in flight, up to its window', async () => {
    const { consumer, running } = harness(2);
    await consumer.receive({ ...address, records: [record(0, 'stuck')] });
    let taken = false;
    const second = consumer.receive({ ...address, records: [record(1, 'b')] }).then(() => {
      taken = true;
    });
    await settle();
    expect(running.has(1n)).toBe(true);
    expect(taken).toBe(false);
    running.get(0n)?.finish();
    await second;
  });

  it('does not commit a record that stays unfinished', async () => {
    const { consumer, commits, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a'), record(1, 'b')] });
    running.get(0n)?.fail();
    running.get(1n)?.finish();
    await settle();
    expect(commits).toEqual([]);
  });

  it('resolves when all records in flight are finished', async () => {
    const { consumer, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a'), record(1, 'a')] });
    let isFinished = false;
    const finished = consumer.finished().then(() => {
      isFinished = true;
    });
    running.get(0n)?.finish();
    await settle();
    expect(isFinished).toBe(false);
    running.get(1n)?.finish();
    await finished;
  });

  it('releases a partition after its running work is committed, and starts no more of it', async () => {
    const { consumer, commits, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a'), record(1, 'a')] });
    let released = false;
    const releasing = consumer.release([address]).then(() => {
      released = true;
    });
    await settle();
    expect(released).toBe(false);
    running.get(0n)?.finish();
    await releasing;
    expect(running.has(1n)).toBe(false);
    expect(commits).toEqual([1n]);
  });

  it('signals records in progress that their partition is released, since waiting ones must end', async () => {
    const { consumer, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a')] });
    const waiting = running.get(0n);
    waiting?.signal.addEventListener('abort', waiting.fail);
    expect(waiting?.signal.aborted).toBe(false);
    await consumer.release([address]);
    expect(waiting?.signal.aborted).toBe(true);
  });

  it('does not commit records from before a release once it owns the partition again', async () => {
    const { consumer, commits, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a')] });
    const before = running.get(0n);
    const releasing = consumer.release([address]);
    await consumer.receive({ ...address, records: [record(0, 'b'), record(1, 'c')] });
    running.get(0n)?.finish();
    running.get(1n)?.finish();
    await settle();
    before?.finish();
    await releasing;
    expect(commits).toEqual([1n, 2n]);
  });

  it('starts nothing after a stop, and waits for running work', async () => {
    const { consumer, commits, running } = harness();
    await consumer.receive({ ...address, records: [record(0, 'a'), record(1, 'a')] });
    consumer.stop();
    const drained = consumer.drain();
    running.get(0n)?.finish();
    await drained;
    expect(running.has(1n)).toBe(false);
    expect(commits).toEqual([1n]);
  });
});

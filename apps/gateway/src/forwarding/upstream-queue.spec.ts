import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Holder } from './holder.js';
import { UpstreamBusyError, UpstreamQueue } from './upstream-queue.js';

const holderOf = (organisation: string, visitor: string | null = null): Holder => ({
  organisation,
  visitor,
});
const [SHOP, OTHER, THIRD] = ['shop', 'other', 'third'].map((name) => holderOf(name)) as [
  Holder,
  Holder,
  Holder,
];
const visitorOf = (name: string) => holderOf('shop', name);

beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
});
afterEach(() => {
  jest.useRealTimers();
});

const aFlight = () => ({ exchange: undefined as { abort: () => void } | undefined });
const counts = ({ active, waiting }: UpstreamQueue) => ({ active, waiting });

/** A request and its outcome so far. */
function ask(queue: UpstreamQueue, holder: Holder, { deadline = 1_000, flight = aFlight() } = {}) {
  const asked = { state: 'waiting' as 'waiting' | 'admitted' | 'refused' | 'aborted', flight };
  void queue.enter(holder, deadline, flight).then(
    () => (asked.state = 'admitted'),
    (error: unknown) => (asked.state = error instanceof UpstreamBusyError ? 'refused' : 'aborted'),
  );
  return asked;
}
type Asked = ReturnType<typeof ask>;

const states = async (asked: Asked[]): Promise<string[]> => {
  await jest.advanceTimersByTimeAsync(0);
  return asked.map(({ state }) => state);
};

describe('the queue before a service', () => {
  it('refuses at once what neither a connection nor the queue has room for', async () => {
    const queue = new UpstreamQueue({ connections: 1, waiting: 2 });
    const asked = [SHOP, SHOP, OTHER, OTHER].map((holder) => ask(queue, holder));
    expect(await states(asked)).toEqual(['admitted', 'waiting', 'waiting', 'refused']);
  });

  it('hands a connection to the oldest request', async () => {
    const queue = new UpstreamQueue({ connections: 1, waiting: 4 });
    const asked = [SHOP, SHOP, SHOP].map((holder) => ask(queue, holder));
    queue.leave(SHOP);
    expect(await states(asked)).toEqual(['admitted', 'admitted', 'waiting']);
    queue.leave(SHOP);
    expect(await states(asked)).toEqual(['admitted', 'admitted', 'admitted']);
    queue.leave(SHOP);
    expect(counts(queue)).toEqual({ active: 0, waiting: 0 });
  });

  it('refuses at the deadline, which counts from the arrival', async () => {
    const queue = new UpstreamQueue({ connections: 1, waiting: 4 });
    ask(queue, SHOP);
    const early = ask(queue, SHOP, { deadline: 100 });
    await jest.advanceTimersByTimeAsync(99);
    const late = ask(queue, SHOP, { deadline: 99 });
    expect(await states([early, late])).toEqual(['waiting', 'refused']);
    await jest.advanceTimersByTimeAsync(1);
    expect(await states([early])).toEqual(['refused']);
    expect(counts(queue)).toEqual({ active: 1, waiting: 0 });
  });

  it('gives the place of an aborted request to another one', async () => {
    const queue = new UpstreamQueue({ connections: 1, waiting: 2 });
    const [, gone, next] = [SHOP, SHOP, OTHER].map((holder) => ask(queue, holder));
    gone?.flight.exchange?.abort();
    expect(gone && (await states([gone]))).toEqual(['aborted']);
    expect(counts(queue)).toEqual({ active: 1, waiting: 1 });
    queue.leave(SHOP);
    expect(next && (await states([next]))).toEqual(['admitted']);
    expect(counts(queue)).toEqual({ active: 1, waiting: 0 });
  });

  it('keeps connections and places of the queue free of a flood of one holder', async () => {
    const queue = new UpstreamQueue({ connections: 4, waiting: 4 });
    const flood = Array.from({ length: 9 }, () => ask(queue, SHOP));
    const others = [OTHER, OTHER, OTHER, OTHER].map((holder) => ask(queue, holder));
    expect((await states(flood)).slice(0, 6)).toEqual([
      ...['admitted', 'admitted', 'admitted'],
      ...['waiting', 'waiting', 'refused'],
    ]);
    expect(await states(others)).toEqual(['admitted', 'waiting', 'waiting', 'refused']);
    queue.leave(OTHER);
    // The flood has its share already, although its requests are older.
    expect(await states(others)).toEqual(['admitted', 'admitted', 'waiting', 'refused']);
    expect(counts(queue)).toEqual({ active: 4, waiting: 3 });
  });

  it('leaves a connection to a third organisation beside floods of two', async () => {
    const queue = new UpstreamQueue({ connections: 8, waiting: 8 });
    const first = Array.from({ length: 9 }, () => ask(queue, SHOP));
    const second = Array.from({ length: 9 }, () => ask(queue, OTHER));
    expect((await states(first)).filter((state) => state === 'admitted')).toHaveLength(6);
    expect((await states(second)).filter((state) => state === 'admitted')).toHaveLength(1);
    expect(await states([ask(queue, THIRD)])).toEqual(['admitted']);
  });

  it('gives the next connection to the organisation that uses the fewest', async () => {
    const queue = new UpstreamQueue({ connections: 8, waiting: 16 });
    for (const holder of [...Array<Holder>(6).fill(SHOP), OTHER, THIRD]) ask(queue, holder);
    const asked = [SHOP, OTHER, OTHER, THIRD].map((holder) => ask(queue, holder));
    expect(counts(queue)).toEqual({ active: 8, waiting: 4 });
    queue.leave(SHOP);
    queue.leave(SHOP);
    expect(await states(asked)).toEqual(['waiting', 'admitted', 'waiting', 'waiting']);
    queue.leave(SHOP);
    expect(await states(asked)).toEqual(['waiting', 'admitted', 'waiting', 'admitted']);
  });

  it('gives a place in a full queue to the organisation with the fewest', async () => {
    const queue = new UpstreamQueue({ connections: 1, waiting: 4 });
    const older = [SHOP, SHOP, SHOP, OTHER, OTHER].map((holder) => ask(queue, holder));
    const third = [ask(queue, THIRD), ask(queue, THIRD)];
    expect(await states([...older, ...third])).toEqual([
      ...['admitted', 'waiting', 'waiting'],
      ...['waiting', 'refused'],
      ...['waiting', 'refused'],
    ]);
    expect(counts(queue)).toEqual({ active: 1, waiting: 4 });
  });

  it('leaves connections and places to other visitors of the organisation', async () => {
    const queue = new UpstreamQueue({ connections: 16, waiting: 8 });
    const flood = Array.from({ length: 9 }, () => ask(queue, visitorOf('flood')));
    expect(await states(flood)).toEqual([
      ...['admitted', 'admitted', 'admitted'],
      ...['waiting', 'waiting', 'waiting', 'waiting', 'refused', 'refused'],
    ]);
    const others = ['a', 'b', 'c', 'd'].flatMap((name) =>
      Array.from({ length: 3 }, () => ask(queue, visitorOf(name))),
    );
    expect((await states(others)).slice(0, 9)).toEqual(Array(9).fill('admitted'));
    // The organisation has its share of both now; a visitor without a place takes one of the flood.
    expect((await states(others)).slice(9)).toEqual(['waiting', 'waiting', 'refused']);
    expect((await states(flood)).slice(3, 7)).toEqual(['waiting', 'waiting', 'refused', 'refused']);
    queue.leave(visitorOf('a'));
    expect((await states(others)).slice(9)).toEqual(['admitted', 'waiting', 'refused']);
  });

  it('prefers requests with a secret key to any number of visitors', async () => {
    const queue = new UpstreamQueue({ connections: 2, waiting: 4 });
    const visitors = ['a', 'b', 'c'].map((name) => ask(queue, visitorOf(name)));
    const secret = [SHOP, SHOP].map((holder) => ask(queue, holder));
    expect(await states([...visitors, ...secret])).toEqual([
      ...['admitted', 'refused', 'refused'],
      ...['waiting', 'waiting'],
    ]);
    queue.leave(visitorOf('a'));
    expect(await states(secret)).toEqual(['admitted', 'waiting']);
  });
});

import { describe, expect, it, jest } from '@jest/globals';
import { OverloadedError, SingleFlight } from './single-flight.js';

function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: jest.fn(() => promise), resolve, reject };
}

describe('SingleFlight', () => {
  it('shares one run among concurrent calls, and runs again later', async () => {
    const singleFlight = new SingleFlight<string>({ all: 2, unreserved: 2 });
    const { work, resolve } = heldWork();
    const calls = [1, 2, 3].map(() => singleFlight.do('a', work));
    resolve('first');
    expect(await Promise.all(calls)).toEqual(['first', 'first', 'first']);
    expect(work).toHaveBeenCalledTimes(1);
    expect(await singleFlight.do('a', () => Promise.resolve('second'))).toBe('second');
  });

  it('fails every concurrent call, and runs again for the next', async () => {
    const singleFlight = new SingleFlight<string>({ all: 2, unreserved: 2 });
    const { work, reject } = heldWork();
    const calls = [1, 2].map(() => singleFlight.do('a', work));
    reject(new Error('no'));
    for (const each of calls) await expect(each).rejects.toThrow('no');
    expect(await singleFlight.do('a', () => Promise.resolve('yes'))).toBe('yes');
  });
});

it('SingleFlight refuses more runs than its limit', async () => {
  const singleFlight = new SingleFlight<string>({ all: 2, unreserved: 2 });
  const [a, b] = [heldWork(), heldWork()];
  const calls = [
    singleFlight.do('a', a.work),
    singleFlight.do('b', b.work),
    singleFlight.do('b', b.work),
  ];
  const refused = jest.fn(() => Promise.resolve('c'));
  await expect(singleFlight.do('c', refused)).rejects.toThrow(OverloadedError);
  expect(refused).not.toHaveBeenCalled();
  a.resolve('a');
  b.resolve('b');
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'b']);
  expect(await singleFlight.do('c', refused)).toBe('c');
});

it('SingleFlight keeps places for reserved runs', async () => {
  const singleFlight = new SingleFlight<string>({ all: 2, unreserved: 1 });
  const held = heldWork();
  const first = singleFlight.do('a', held.work);
  const answer = (text: string) => () => Promise.resolve(text);
  await expect(singleFlight.do('b', answer('b'))).rejects.toThrow(OverloadedError);
  expect(await singleFlight.do('c', answer('c'), true)).toBe('c');
  held.resolve('a');
  expect(await first).toBe('a');
  expect(await singleFlight.do('b', answer('b'))).toBe('b');
});

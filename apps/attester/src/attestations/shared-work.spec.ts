import { describe, expect, it, jest } from '@jest/globals';
import { SharedWork, TooMuchWorkError } from './shared-work.js';

function heldWork() {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return { work: jest.fn(() => promise), resolve, reject };
}

describe('SharedWork', () => {
  it('shares one run among concurrent calls, and runs again later', async () => {
    const shared = new SharedWork<string>(2);
    const { work, resolve } = heldWork();
    const calls = [1, 2, 3].map(() => shared.do('a', work));
    resolve('first');
    expect(await Promise.all(calls)).toEqual(['first', 'first', 'first']);
    expect(work).toHaveBeenCalledTimes(1);
    expect(await shared.do('a', () => Promise.resolve('second'))).toBe('second');
  });

  it('fails every concurrent call, and runs again for the next', async () => {
    const shared = new SharedWork<string>(2);
    const { work, reject } = heldWork();
    const calls = [1, 2].map(() => shared.do('a', work));
    reject(new Error('no'));
    for (const each of calls) await expect(each).rejects.toThrow('no');
    expect(await shared.do('a', () => Promise.resolve('yes'))).toBe('yes');
  });
});

it('SharedWork refuses more runs than its limit', async () => {
  const shared = new SharedWork<string>(2);
  const [a, b] = [heldWork(), heldWork()];
  const calls = [shared.do('a', a.work), shared.do('b', b.work), shared.do('b', b.work)];
  const tooMuch = jest.fn(() => Promise.resolve('c'));
  await expect(shared.do('c', tooMuch)).rejects.toThrow(TooMuchWorkError);
  expect(tooMuch).not.toHaveBeenCalled();
  a.resolve('a');
  b.resolve('b');
  expect(await Promise.all(calls)).toEqual(['a', 'b', 'b']);
  expect(await shared.do('c', tooMuch)).toBe('c');
});

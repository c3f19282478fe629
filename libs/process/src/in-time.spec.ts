import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { inTime } from './in-time.js';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

it('an answer is passed on, and so is a failure', async () => {
  await expect(inTime(Promise.resolve(7), 10)).resolves.toBe(7);
  await expect(inTime(Promise.reject(new Error('no')), 10)).rejects.toThrow('no');
  expect(jest.getTimerCount()).toBe(0);
});

it('an answer that does not come in time is none', async () => {
  const late = inTime(new Promise(() => undefined), 10);
  const refused = expect(late).rejects.toThrow('no answer within 10 ms');
  await jest.advanceTimersByTimeAsync(10);
  await refused;
});

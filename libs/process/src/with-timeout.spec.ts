import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { settlesWithin, TimeoutError, withTimeout } from './with-timeout.js';

const endless = () => new Promise<never>(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

describe('withTimeout', () => {
  it('passes on the result and the error of the work', async () => {
    await expect(withTimeout(10, Promise.resolve(7))).resolves.toBe(7);
    await expect(withTimeout(10, () => 7)).resolves.toBe(7);
    await expect(withTimeout(10, Promise.reject(new Error('no')))).rejects.toThrow('no');
    const throwing = (): number => {
      throw new Error('no');
    };
    await expect(withTimeout(10, throwing)).rejects.toThrow('no');
  });

  it('rejects at the deadline and aborts the signal of the work', async () => {
    const signals: AbortSignal[] = [];
    const late = withTimeout(10, (signal) => {
      signals.push(signal);
      return endless();
    });
    const rejected = expect(late).rejects.toThrow(new TimeoutError(10));
    await jest.advanceTimersByTimeAsync(9);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await jest.advanceTimersByTimeAsync(1);
    await rejected;
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('settlesWithin', () => {
  it('is true for work that succeeds or fails before the deadline', async () => {
    await expect(settlesWithin(10, Promise.resolve(7))).resolves.toBe(true);
    await expect(settlesWithin(10, Promise.reject(new Error('no')))).resolves.toBe(true);
  });

  it('is false at the deadline', async () => {
    const late = settlesWithin(10, endless());
    await jest.advanceTimersByTimeAsync(10);
    await expect(late).resolves.toBe(false);
  });
});

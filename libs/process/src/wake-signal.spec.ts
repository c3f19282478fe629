import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { WakeSignal } from './wake-signal.js';

const LONG_MS = 60_000;

describe('WakeSignal', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('ends a wait early', async () => {
    const signal = new WakeSignal();
    const waiting = signal.wait(LONG_MS);
    signal.wake();
    await expect(waiting).resolves.toBeUndefined();
  });

  it('keeps a wake that came before the wait', async () => {
    const signal = new WakeSignal();
    signal.wake();
    await expect(signal.wait(LONG_MS)).resolves.toBeUndefined();
  });

  it('uses a wake once', async () => {
    const signal = new WakeSignal();
    signal.wake();
    await signal.wait(LONG_MS);
    let ended = false;
    const waiting = signal.wait(20).then(() => (ended = true));
    await jest.advanceTimersByTimeAsync(19);
    expect(ended).toBe(false);
    await jest.advanceTimersByTimeAsync(1);
    await waiting;
    expect(ended).toBe(true);
  });
});

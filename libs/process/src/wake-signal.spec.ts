import { describe, expect, it } from '@jest/globals';
import { WakeSignal } from './wake-signal.js';

const LONG_MS = 60_000;

describe('WakeSignal', () => {
  it('ends a wait early', async () => {
    const signal = new WakeSignal();
    const waiting = signal.wait(LONG_MS);
    signal.wake();
    await waiting;
  });

  it('keeps a wake that came before the wait', async () => {
    const signal = new WakeSignal();
    signal.wake();
    await signal.wait(LONG_MS);
  });

  it('uses a wake once', async () => {
    const signal = new WakeSignal();
    signal.wake();
    await signal.wait(LONG_MS);
    const start = performance.now();
    await signal.wait(20);
    expect(performance.now() - start).toBeGreaterThanOrEqual(18);
  });
});

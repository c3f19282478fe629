import { describe, expect, it } from '@jest/globals';
import { PauseGate, StoppedError } from './pause-gate.js';

describe('PauseGate', () => {
  it('lets callers pass while it is open', async () => {
    await expect(new PauseGate().pass()).resolves.toBeUndefined();
  });

  it('blocks callers during a pause, then lets all pass', async () => {
    const gate = new PauseGate();
    gate.pause();
    let passed = 0;
    const waiting = [1, 2].map(() =>
      gate.pass().then(() => {
        passed += 1;
      }),
    );
    expect(gate.isPaused).toBe(true);
    await Promise.resolve();
    expect(passed).toBe(0);
    await Promise.all(waiting);
    expect(passed).toBe(2);
  });

  it('rejects callers once stopped', async () => {
    const gate = new PauseGate();
    gate.pause();
    const waiting = gate.pass();
    gate.stop();
    await expect(waiting).rejects.toThrow(StoppedError);
    await expect(gate.pass()).rejects.toThrow(StoppedError);
  });
});

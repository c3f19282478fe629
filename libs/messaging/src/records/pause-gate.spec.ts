import { describe, expect, it } from '@jest/globals';
import { PauseGate, StoppedError } from './pause-gate.js';

describe('PauseGate', () => {
  it('lets through while nothing is wrong', async () => {
    await expect(new PauseGate().pass()).resolves.toBeUndefined();
  });

  it('holds everybody back during a pause, then lets all through', async () => {
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

  it('turns everybody away once stopped', async () => {
    const gate = new PauseGate();
    gate.pause();
    const waiting = gate.pass();
    gate.stop();
    await expect(waiting).rejects.toThrow(StoppedError);
    await expect(gate.pass()).rejects.toThrow(StoppedError);
  });
});

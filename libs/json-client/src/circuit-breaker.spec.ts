import { describe, expect, it } from '@jest/globals';
import { CircuitBreaker } from './circuit-breaker.js';

const failing = (): Promise<never> => Promise.reject(new Error('down'));

describe('CircuitBreaker', () => {
  it('returns results and errors unchanged while the circuit is closed', async () => {
    const circuit = new CircuitBreaker({ peer: 'peer', timeoutMs: 60_000 });
    expect(await circuit.run(() => Promise.resolve('answer'))).toBe('answer');
    await expect(circuit.run(failing)).rejects.toThrow('down');
    expect(circuit.isOpen).toBe(false);
  });

  it('makes no call after five consecutive failures', async () => {
    const circuit = new CircuitBreaker({ peer: 'peer', timeoutMs: 60_000 });
    for (let call = 0; call < 5; call += 1) await expect(circuit.run(failing)).rejects.toThrow();
    let isCalled = false;
    const call = circuit.run(() => {
      isCalled = true;
      return Promise.resolve();
    });
    await expect(call).rejects.toMatchObject({ reason: 'circuit_open', retryable: true });
    expect([circuit.isOpen, isCalled]).toEqual([true, false]);
  });

  it('counts consecutive failures only', async () => {
    const circuit = new CircuitBreaker({ peer: 'peer', timeoutMs: 60_000, failures: 2 });
    await expect(circuit.run(failing)).rejects.toThrow();
    await circuit.run(() => Promise.resolve());
    await expect(circuit.run(failing)).rejects.toThrow();
    expect(circuit.isOpen).toBe(false);
  });

  it('aborts a call that takes too long', async () => {
    const circuit = new CircuitBreaker({ peer: 'peer', timeoutMs: 1 });
    const endless = circuit.run(() => new Promise(() => undefined));
    await expect(endless).rejects.toMatchObject({ name: 'PeerError', reason: 'timeout' });
  });
});

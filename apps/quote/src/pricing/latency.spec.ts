import { describe, expect, it } from '@jest/globals';
import { bridged, onramp, transfer } from '../testing/a-quoted-route.fixture.js';
import { expectedLatency, waitOf } from './latency.js';

const timings: Record<string, { confirmations: number; blockTimeMs: number }> = {
  alphanet: { confirmations: 3, blockTimeMs: 2_000 },
  betanet: { confirmations: 8, blockTimeMs: 100 },
};
const timingOf = (chain: string) => timings[chain] ?? { confirmations: 0, blockTimeMs: 0 };

describe('expectedLatency', () => {
  it('is two transactions and their confirmations, and whatever the provider takes before', () => {
    expect(expectedLatency(transfer, timingOf)).toBe(20);
    expect(expectedLatency(onramp, timingOf)).toBe(80);
  });

  it('adds both chains and the bridge between them, which waits for finality itself', () => {
    expect(expectedLatency(bridged, timingOf)).toBe(10 + 4 + 12 + 1);
  });
});

describe('waitOf', () => {
  it('is what others than the chains take', () => {
    expect([transfer, onramp, bridged].map(waitOf)).toEqual([0, 60, 12]);
  });
});

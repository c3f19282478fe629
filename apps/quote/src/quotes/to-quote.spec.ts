import { describe, expect, it } from '@jest/globals';
import { externalLatency } from '../routes/quoted-route.js';
import { bridged, onramp, transfer } from '../testing/quoted-route.fixture.js';
import { expectedLatency } from './to-quote.js';

const timings: Record<string, { confirmations: number; blockTimeMs: number }> = {
  alphanet: { confirmations: 3, blockTimeMs: 2_000 },
  betanet: { confirmations: 8, blockTimeMs: 100 },
};
const timingOf = (chain: string) => timings[chain] ?? { confirmations: 0, blockTimeMs: 0 };

describe('expectedLatency', () => {
  it('sums two transactions, their confirmations and the latency of the provider', () => {
    expect(expectedLatency(transfer, timingOf)).toBe(20);
    expect(expectedLatency(onramp, timingOf)).toBe(80);
  });

  it('sums both chains and the bridge, whose latency includes finality', () => {
    expect(expectedLatency(bridged, timingOf)).toBe(10 + 4 + 12 + 1);
  });
});

describe('externalLatency', () => {
  it('sums the latency of onramp and bridges', () => {
    expect([transfer, onramp, bridged].map(externalLatency)).toEqual([0, 60, 12]);
  });
});

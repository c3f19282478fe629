import { describe, expect, it } from '@jest/globals';
import { expectedLatency } from './latency.js';
import type { QuotedRoute } from './quoted-route.js';

const amount = { asset: 'alphanet:0x', decimals: 18, units: 1n } as const;
const route: QuotedRoute = {
  leg: { chain: 'alphanet', inputToken: 'alphanet:0x', outputToken: 'alphanet:0x' },
  input: amount,
  onramp: null,
  deposit: amount,
  networkFee: 0n,
  venue: null,
  output: amount,
};

describe('expectedLatency', () => {
  it('is two transactions and their confirmations, and whatever the provider takes before', () => {
    const chain = { confirmations: 3, blockTimeMs: 2_000 };
    expect(expectedLatency(route, chain)).toBe(20);
    const onramp = {
      provider: 'swiftramp',
      method: 'ACH',
      providerQuoteId: 'q',
      latencySeconds: 60,
    } as const;
    expect(expectedLatency({ ...route, onramp }, chain)).toBe(80);
  });
});

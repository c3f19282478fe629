import type { PaymentMethod } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import type { QuotedRoute } from '../plan/quoted-route.js';
import type { Route } from '../routing/routing-graph.js';
import { bestQuotes, filterRoutes } from './selection.js';

const leg = { chain: 'alphanet', inputToken: 'alphanet:0x', outputToken: 'alphanet:0x' } as const;
const route = (provider: string, method: PaymentMethod): Route => ({
  leg,
  ramp: {
    provider,
    method,
    fiat: 'usd',
    token: 'alphanet:0x',
    limits: { min: null, max: null },
  },
});
const quoted = (provider: string, units: bigint, latencySeconds = 1): QuotedRoute => ({
  leg,
  input: { asset: 'usd', decimals: 2, units: 1n },
  onramp: { provider, method: 'ACH', providerQuoteId: 'q', latencySeconds },
  deposit: { asset: 'alphanet:0x', decimals: 18, units },
  networkFee: 0n,
  venue: null,
  output: { asset: 'alphanet:0x', decimals: 18, units },
});

describe('filterRoutes', () => {
  const routes = [route('swift', 'ACH'), route('thrift', 'ACH'), route('thrift', 'SEPA')];
  const kept = (filter: Parameters<typeof filterRoutes>[1]): string[] =>
    filterRoutes(routes, filter).map(
      ({ ramp }) => `${String(ramp?.provider)} ${String(ramp?.method)}`,
    );

  it('restricts providers and methods', () => {
    expect(kept({ onramps: ['thrift'], onramp_methods: ['SEPA'] })).toEqual(['thrift SEPA']);
    expect(kept({ onramp_methods: ['PIX'] })).toEqual([]);
  });

  it('restricts nothing when it is empty', () => {
    expect(kept({})).toHaveLength(3);
    expect(kept({ onramps: [], onramp_methods: [] })).toHaveLength(3);
  });

  it('does not concern what is paid with tokens', () => {
    expect(filterRoutes([{ ramp: null, leg }], { onramps: ['thrift'] })).toHaveLength(1);
  });
});

describe('bestQuotes', () => {
  it('sorts by output, highest first, the faster before the slower', () => {
    const quotes = [quoted('a', 5n), quoted('b', 9n, 50), quoted('c', 9n, 5)];
    expect(bestQuotes(quotes).map(({ onramp }) => onramp?.provider)).toEqual(['c', 'b', 'a']);
  });

  it('keeps the best route of each provider and method', () => {
    const quotes = [quoted('a', 5n), quoted('a', 7n)];
    expect(bestQuotes(quotes).map(({ output }) => output.units)).toEqual([7n]);
  });
});

import type { PaymentMethod } from '@bascule/contracts';
import { describe, expect, it } from '@jest/globals';
import { outputOf, type QuotedRoute } from '../routes/quoted-route.js';
import type { Route } from '../routes/route.js';
import { bestQuotes, filterRoutes } from './selection.js';

const TOKEN = 'alphanet:0x';
const leg = { chain: 'alphanet', inputToken: TOKEN, outputToken: TOKEN, lane: null } as const;
const route = (provider: string, method: PaymentMethod): Route => ({
  legs: [leg],
  ramp: {
    provider,
    method,
    fiat: 'usd',
    token: TOKEN,
    limits: {},
    places: [],
  },
});
const quoted = (provider: string, units: bigint, latencySeconds = 1): QuotedRoute => {
  const amount = { asset: TOKEN, decimals: 18, units } as const;
  const kept = {
    ...{ chain: 'alphanet', input: amount, networkFee: 0n, venue: null, output: amount },
    ...{ businessFees: [], gas: 200_000n, gasCost: 10n ** 15n, gasLimit: 500_000n },
  };
  return {
    input: { asset: 'usd', decimals: 2, units: 1n },
    onramp: { provider, method: 'ACH', providerQuoteId: 'q', latencySeconds },
    legs: [{ ...kept, bridge: null }],
  };
};

describe('filterRoutes', () => {
  const routes = [route('swift', 'ACH'), route('thrift', 'ACH'), route('thrift', 'SEPA')];
  const kept = (filter: Parameters<typeof filterRoutes>[1]): string[] =>
    filterRoutes(routes, filter).map(
      ({ ramp }) => `${String(ramp?.provider)} ${String(ramp?.method)}`,
    );

  it('keeps the wanted providers and methods', () => {
    expect(kept({ onramps: ['thrift'], onramp_methods: ['SEPA'] })).toEqual(['thrift SEPA']);
    expect(kept({ onramp_methods: ['PIX'] })).toEqual([]);
  });

  it('keeps all routes when the filter is empty', () => {
    expect(kept({})).toHaveLength(3);
    expect(kept({ onramps: [], onramp_methods: [] })).toHaveLength(3);
  });

  it('keeps routes from deposited tokens', () => {
    expect(filterRoutes([{ ramp: null, legs: [leg] }], { onramps: ['thrift'] })).toHaveLength(1);
  });
});

describe('bestQuotes', () => {
  it('sorts by output, highest first, then by latency', () => {
    const quotes = [quoted('a', 5n), quoted('b', 9n, 50), quoted('c', 9n, 5)];
    expect(bestQuotes(quotes, 'FIXED_INPUT').map(({ onramp }) => onramp?.provider)).toEqual([
      'c',
      'b',
      'a',
    ]);
  });

  it('keeps the lowest input of a provider where the output is fixed', () => {
    const costs = (provider: string, input: bigint, output: bigint) => {
      const quote = quoted(provider, output);
      return { ...quote, input: { ...quote.input, units: input } };
    };
    const quotes = [costs('a', 9n, 7n), costs('b', 5n, 9n), costs('b', 4n, 7n), costs('c', 6n, 8n)];
    const best = bestQuotes(quotes, 'FIXED_OUTPUT');
    expect(best.map(({ input }) => input.units)).toEqual([6n, 4n, 9n]);
  });

  it('keeps the best route of each provider and method', () => {
    const quotes = [quoted('a', 5n), quoted('a', 7n)];
    expect(bestQuotes(quotes, 'FIXED_INPUT').map((route) => outputOf(route).units)).toEqual([7n]);
  });
});

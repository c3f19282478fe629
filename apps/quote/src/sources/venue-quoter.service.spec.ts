import { Chain, chainDefinitions } from '@bascule/chain';
import type { SwitchesService } from '@bascule/switches';
import type { RequestBudget, Venue } from '@bascule/venues';
import { describe, expect, it } from '@jest/globals';
import { MAX_REQUESTS_PER_AGGREGATOR, sourceCaches } from '../routes/request-cache.js';
import { VenueQuoterService } from './venue-quoter.service.js';
import type { VenueRatingsService } from './venue-ratings.service.js';

const definition = chainDefinitions['alphanet'];
if (!definition) throw new Error('alphanet is not defined');
const chain = new Chain({ definition, rpcUrls: ['http://127.0.0.1:8', 'http://127.0.0.1:9'] });
const leg = {
  ...{ chain: 'alphanet', lane: null },
  inputToken: 'alphanet:0x0000000000000000000000000000000000000001',
  outputToken: 'alphanet:0x0000000000000000000000000000000000000002',
} as const;
const switches: Pick<SwitchesService, 'current'> = {
  current: async () => ({ version: 0, paused: [] }),
};

const ratings: Pick<VenueRatingsService, 'shortfallsOn'> = { shortfallsOn: async () => () => 0n };

/** A venue that makes a request for every question, and has no quote. */
function requestingVenue() {
  const counted = { requests: 0 };
  const ask = async (budget?: RequestBudget): Promise<null> => {
    budget?.spend('party');
    counted.requests += 1;
    return null;
  };
  const venue: Venue = {
    name: 'party',
    mayConvert: () => true,
    pairs: async () => [],
    quoteExactInput: (_, { budget }) => ask(budget),
    quoteExactOutput: (_, { budget }) => ask(budget),
  };
  return { venue, counted };
}

/** A venue with these quotes. */
const quotingVenue = (name: string, amountOut: bigint, amountIn: bigint): Venue => ({
  ...{ name, mayConvert: () => true, pairs: async () => [] },
  quoteExactInput: async (_, { amountIn: sold }) => ({
    ...{ venue: name, amountIn: sold, amountOut, gas: 1n },
    ...{ route: name, calls: () => [] },
  }),
  quoteExactOutput: async () => ({ venue: name, amountIn, gas: 1n }),
});

describe('VenueQuoterService', () => {
  it('prefers an acceptable quote of a venue without a good rating to any that is not', async () => {
    const single = new Chain({ definition, rpcUrls: ['http://127.0.0.1:8'] });
    const rated: typeof ratings = {
      shortfallsOn: async () => (name) => (name === 'rated' ? 100_000n : 0n),
    };
    const quoter = new VenueQuoterService(
      [quotingVenue('rated', 1_000n, 1_000n), quotingVenue('thin', 500n, 2_000n)],
      ...([switches as SwitchesService, rated as VenueRatingsService] as const),
    );
    const converted = { chain: single, leg, gasValue: () => 0n };
    const output = (least: bigint) =>
      quoter.findQuote(converted, 9n, sourceCaches(), ({ amountOut }) => amountOut >= least);
    const input = (most: bigint) =>
      quoter.findExactOutput(converted, 9n, sourceCaches(), ({ amountIn }) => amountIn <= most);
    expect([(await output(900n))?.venue, (await output(1n))?.venue]).toEqual(['rated', 'thin']);
    expect([(await input(1_100n))?.venue, (await input(3_000n))?.venue]).toEqual(['rated', 'thin']);
    expect((await output(9_999n))?.venue).toBe('thin');
  });

  it('causes a bounded number of requests to a party, whatever one request for quotes asks', async () => {
    const { venue, counted } = requestingVenue();
    const quoter = new VenueQuoterService(
      [venue],
      switches as SwitchesService,
      ratings as VenueRatingsService,
    );
    const caches = sourceCaches();
    const converted = { chain, leg, gasValue: () => 0n };
    const questions = Array.from({ length: 40 }, (_, index) => BigInt(index + 1)).flatMap(
      (amount) => [
        quoter.findQuote(converted, amount, caches),
        quoter.findExactOutput(converted, amount, caches),
      ],
    );
    await Promise.allSettled(questions);
    expect(counted.requests).toBe(MAX_REQUESTS_PER_AGGREGATOR);
    await quoter.findQuote(converted, 1n, sourceCaches());
    expect(counted.requests).toBeGreaterThan(MAX_REQUESTS_PER_AGGREGATOR);
  });
});

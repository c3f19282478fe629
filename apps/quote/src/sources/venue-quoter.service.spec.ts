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

describe('VenueQuoterService', () => {
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

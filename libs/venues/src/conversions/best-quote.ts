import type { ChainView } from '@bascule/chain';
import { byNetOutput, byWholeInput } from './order-quotes.js';
import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  Venue,
  VenueQuote,
} from './venue.js';

/** Returns the quote of each venue that has one; throws when none has one and some failed. */
export const venueQuotes = (
  venues: readonly Venue[],
  chain: ChainView,
  request: ConversionRequest,
): Promise<VenueQuote[]> =>
  quotesIn(
    chain,
    venues.map((venue) => venue.quoteExactInput(chain, request)),
  );

/** Returns the least input at each venue that has one; throws like {@link venueQuotes}. */
export const venueExactOutputQuotes = (
  venues: readonly Venue[],
  chain: ChainView,
  request: ExactOutputRequest,
): Promise<ExactOutputQuote[]> =>
  quotesIn(
    chain,
    venues.map((venue) => venue.quoteExactOutput(chain, request)),
  );

/** Returns the quote that leaves most after its gas and its venue's shortfall; throws when no venue has one and some failed. */
export const bestQuote = async (
  venues: readonly Venue[],
  chain: ChainView,
  request: ConversionRequest,
): Promise<VenueQuote | null> =>
  (await venueQuotes(venues, chain, request)).sort(byNetOutput(request))[0] ?? null;

/** Returns the quote that takes least with its gas and its venue's shortfall; throws when no venue has one and some failed. */
export const bestExactOutputQuote = async (
  venues: readonly Venue[],
  chain: ChainView,
  request: ExactOutputRequest,
): Promise<ExactOutputQuote | null> =>
  (await venueExactOutputQuotes(venues, chain, request)).sort(byWholeInput(request))[0] ?? null;

async function quotesIn<T>(chain: ChainView, requests: readonly Promise<T | null>[]): Promise<T[]> {
  const answers = await Promise.allSettled(requests);
  const quotes = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
  );
  const errors = answers.flatMap((answer): unknown[] =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  if (quotes.length === 0 && errors.length > 0) {
    throw new AggregateError(errors, `every venue of ${chain.definition.name} failed`);
  }
  return quotes;
}

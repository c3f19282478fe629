import type { ChainView } from '@bascule/chain';
import { byNetOutput, byWholeInput, type Input, type Output } from './order-quotes.js';
import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  QuoteComparison,
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
): Promise<VenueQuote | null> => bestOutputOf(await venueQuotes(venues, chain, request), request);

/** Returns the quote that takes least with its gas and its venue's shortfall; throws when no venue has one and some failed. */
export const bestExactOutputQuote = async (
  venues: readonly Venue[],
  chain: ChainView,
  request: ExactOutputRequest,
): Promise<ExactOutputQuote | null> =>
  leastInputOf(await venueExactOutputQuotes(venues, chain, request), request);

/** The best of several quotes, an acceptable one before all others, the earliest of equal ones; null without any. */
export const bestOutputOf = <T extends Output>(
  quotes: readonly T[],
  request: Pick<ConversionRequest, 'gasValue' | 'shortfallOf' | 'minOutput'>,
  isAcceptable?: (quote: T) => boolean,
): T | null => acceptableFirst(quotes.toSorted(byNetOutput(request)), isAcceptable);

/** The least input of several quotes, chosen like {@link bestOutputOf}. */
export const leastInputOf = <T extends Input>(
  quotes: readonly T[],
  request: QuoteComparison,
  isAcceptable?: (quote: T) => boolean,
): T | null => acceptableFirst(quotes.toSorted(byWholeInput(request)), isAcceptable);

const acceptableFirst = <T>(
  bestFirst: readonly T[],
  isAcceptable: (quote: T) => boolean = () => true,
): T | null => bestFirst.find(isAcceptable) ?? bestFirst[0] ?? null;

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

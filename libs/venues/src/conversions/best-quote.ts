import type { ChainView } from '@bascule/chain';
import { byNetOutput, byWholeInput } from './order-quotes.js';
import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  Venue,
  VenueQuote,
} from './venue.js';

/** Returns the quote that leaves most after its gas; throws when no venue has one and some failed. */
export const bestQuote = (
  venues: readonly Venue[],
  chain: ChainView,
  request: ConversionRequest,
): Promise<VenueQuote | null> =>
  best(
    chain,
    venues.map((venue) => venue.quoteExactInput(chain, request)),
    byNetOutput(request),
  );

/** Returns the quote that takes least with its gas; throws when no venue has one and some failed. */
export const bestExactOutputQuote = (
  venues: readonly Venue[],
  chain: ChainView,
  request: ExactOutputRequest,
): Promise<ExactOutputQuote | null> =>
  best(
    chain,
    venues.map((venue) => venue.quoteExactOutput(chain, request)),
    byWholeInput(request),
  );

async function best<T>(
  chain: ChainView,
  requests: readonly Promise<T | null>[],
  bestFirst: (one: T, other: T) => number,
): Promise<T | null> {
  const answers = await Promise.allSettled(requests);
  const quotes = answers.flatMap((answer) =>
    answer.status === 'fulfilled' && answer.value !== null ? [answer.value] : [],
  );
  const [found = null] = quotes.sort(bestFirst);
  const errors = answers.flatMap((answer): unknown[] =>
    answer.status === 'rejected' ? [answer.reason] : [],
  );
  if (found === null && errors.length > 0) {
    throw new AggregateError(errors, `every venue of ${chain.definition.name} failed`);
  }
  return found;
}

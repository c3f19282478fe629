import type { ChainView } from '@bascule/chain';
import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  Venue,
  VenueQuote,
} from './venue.js';

/** Returns the quote with the highest output; throws when no venue has one and some failed. */
export const bestQuote = (
  venues: readonly Venue[],
  chain: ChainView,
  request: ConversionRequest,
): Promise<VenueQuote | null> =>
  best(
    chain,
    venues.map((venue) => venue.quoteExactInput(chain, request)),
    (one, other) => one.amountOut > other.amountOut,
  );

/** Returns the quote with the lowest input; throws when no venue has one and some failed. */
export const bestExactOutputQuote = (
  venues: readonly Venue[],
  chain: ChainView,
  request: ExactOutputRequest,
): Promise<ExactOutputQuote | null> =>
  best(
    chain,
    venues.map((venue) => venue.quoteExactOutput(chain, request)),
    (one, other) => one.amountIn < other.amountIn,
  );

async function best<T>(
  chain: ChainView,
  requests: readonly Promise<T | null>[],
  isBetter: (one: T, other: T) => boolean,
): Promise<T | null> {
  const answers = await Promise.allSettled(requests);
  let found: T | null = null;
  const errors: unknown[] = [];
  for (const answer of answers) {
    if (answer.status === 'rejected') errors.push(answer.reason);
    else if (answer.value && (!found || isBetter(answer.value, found))) found = answer.value;
  }
  if (!found && errors.length > 0) {
    throw new AggregateError(errors, `every venue of ${chain.definition.name} failed`);
  }
  return found;
}

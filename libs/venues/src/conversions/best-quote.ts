import type { Chain } from '@bascule/chain';
import type { ConversionRequest, Venue, VenueQuote } from './venue.js';

/** Returns the quote with the highest output; throws when no venue has one and some failed. */
export async function bestQuote(
  venues: readonly Venue[],
  chain: Chain,
  request: ConversionRequest,
): Promise<VenueQuote | null> {
  const answers = await Promise.allSettled(
    venues.map((venue) => venue.quoteExactInput(chain, request)),
  );
  let best: VenueQuote | null = null;
  const errors: unknown[] = [];
  for (const answer of answers) {
    if (answer.status === 'rejected') errors.push(answer.reason);
    else if (answer.value && (!best || answer.value.amountOut > best.amountOut))
      best = answer.value;
  }
  if (!best && errors.length > 0) {
    throw new AggregateError(errors, `every venue of ${chain.definition.name} failed`);
  }
  return best;
}

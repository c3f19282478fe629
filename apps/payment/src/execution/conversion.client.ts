import { maxAmount } from '@bascule/amounts';
import type { Chain } from '@bascule/chain';
import type { Call, Leg as DeclaredLeg } from '@bascule/solidity';
import { agreedQuote, quotesOfNodes } from '@bascule/venues';
import type { QuoteComparison, Venue, VenueQuote } from '@bascule/venues';
import type { LegFailure } from '../life-cycle/payment-record.js';
import { leastOutput } from './conversion-blame.js';

/** Injection token of the venues. */
export const VENUES = Symbol('VENUES');

/** A planned conversion; amounts are in the smallest unit of the output. */
export interface PlannedConversion {
  /** Null where nothing is converted. */
  venue: string | null;
  calls: Call[];
  /** Expected output. */
  output: bigint;
}

export type Conversion = PlannedConversion | { failure: LegFailure };

/** Venues that may convert a leg; a paused one among them may be why no conversion is found. */
export const venuesFor = (
  venues: readonly Venue[],
  chain: Chain,
  leg: Pick<DeclaredLeg, 'inputToken' | 'outputToken'>,
): Venue[] => venues.filter((venue) => venue.mayConvert(chain, leg));

/**
 * Plans the conversion that now leaves most after its gas and its venue's shortfall, and yields at least the declared minimum. Where several nodes are configured, two must
 * reach its output, and two must say that none is enough: a single one neither fails a leg nor sets its route.
 * @throws when nodes disagree, or the only one that answers has no conversion
 */
export async function planConversion(
  venues: readonly Venue[],
  chain: Chain,
  { inputToken, outputToken, minOutput }: DeclaredLeg,
  amountIn: bigint,
  comparison: QuoteComparison,
): Promise<Conversion> {
  if (inputToken === outputToken) {
    const unconverted = { venue: null, calls: [], output: amountIn };
    return amountIn >= minOutput ? unconverted : { failure: slippage };
  }
  const request = { inputToken, outputToken, amountIn, minOutput, ...comparison };
  const quotes = await quotesOfNodes(venues, chain, request);
  const isEnough = ({ amountOut }: VenueQuote) => amountOut >= minOutput;
  const { kind, quote } = agreedQuote(chain, quotes, request, isEnough);
  if (kind === 'unclear') {
    throw new Error(`endpoints of ${chain.name} disagree about a conversion, or too few answered`);
  }
  if (kind === 'refused') return { failure: quote === null ? unroutable : slippage };
  const calls = quote.calls({
    converter: chain.definition.contracts.converter,
    minOutput: maxAmount(leastOutput(quote.amountOut), minOutput),
  });
  return { venue: quote.venue, calls, output: quote.amountOut };
}

const slippage: LegFailure = {
  reason: 'slippage',
  message: 'No route yields the minimum output.',
};
const unroutable: LegFailure = {
  reason: 'unroutable',
  message: 'No route between the tokens.',
};

import { maxAmount } from '@bascule/amounts';
import type { Chain } from '@bascule/chain';
import type { Call, Leg as DeclaredLeg } from '@bascule/solidity';
import { agreedQuote, quotesOfNodes } from '@bascule/venues';
import type { GasValue, Venue, VenueQuote } from '@bascule/venues';
import type { LegFailure } from '../life-cycle/payment-record.js';

/** Injection token of the venues. */
export const VENUES = Symbol('VENUES');

/** `output` is expected, in the smallest unit. */
export type Conversion = { calls: Call[]; output: bigint } | { failure: LegFailure };

/** Largest price move between quote and block; a sandwich beyond it reverts. */
const PRICE_MOVE_BPS = 50n;
const BPS = 10_000n;

/** Venues that may convert a leg; a paused one among them may be why no conversion is found. */
export const venuesFor = (
  venues: readonly Venue[],
  chain: Chain,
  leg: Pick<DeclaredLeg, 'inputToken' | 'outputToken'>,
): Venue[] => venues.filter((venue) => venue.mayConvert(chain, leg));

/**
 * Plans the conversion that now leaves most after its gas and yields at least the declared minimum. Where several nodes are configured, two must
 * reach its output, and two must say that none is enough: a single one neither fails a leg nor sets its route.
 * @throws when nodes disagree, or the only one that answers has no conversion
 */
export async function planConversion(
  venues: readonly Venue[],
  chain: Chain,
  { inputToken, outputToken, minOutput }: DeclaredLeg,
  amountIn: bigint,
  gasValue: GasValue,
): Promise<Conversion> {
  if (inputToken === outputToken) {
    return amountIn >= minOutput ? { calls: [], output: amountIn } : { failure: slippage };
  }
  const request = { inputToken, outputToken, amountIn, gasValue };
  const quotes = await quotesOfNodes(venues, chain, request);
  const isEnough = ({ amountOut }: VenueQuote) => amountOut >= minOutput;
  const { kind, quote } = agreedQuote(chain, quotes, request, isEnough);
  if (kind === 'unclear') {
    throw new Error(`endpoints of ${chain.name} disagree about a conversion, or too few answered`);
  }
  if (kind === 'refused') return { failure: quote === null ? unroutable : slippage };
  const acceptable = (quote.amountOut * (BPS - PRICE_MOVE_BPS)) / BPS;
  const calls = quote.calls({
    converter: chain.definition.contracts.converter,
    minOutput: maxAmount(acceptable, minOutput),
  });
  return { calls, output: quote.amountOut };
}

const slippage: LegFailure = {
  reason: 'slippage',
  message: 'No route yields the minimum output.',
};
const unroutable: LegFailure = {
  reason: 'unroutable',
  message: 'No route between the tokens.',
};

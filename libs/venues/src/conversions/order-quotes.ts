import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  QuoteComparison,
  VenueQuote,
} from './venue.js';

const PPM = 1_000_000n;

/** Shortfall from which a venue's quotes are worth nothing: all its transactions reverted, or its lies are as large. */
const UNTRUSTED_PPM = 20_000n;

export type Output = Pick<VenueQuote, 'venue' | 'amountOut' | 'gas'>;
export type Input = Pick<ExactOutputQuote, 'venue' | 'amountIn' | 'gas'>;
type Order<T> = (one: T, other: T) => number;

/** Orders quotes of one request by what they leave after their gas and their venue's shortfall, the best first. */
export const byNetOutput = ({
  minOutput = 0n,
  ...comparison
}: Pick<ConversionRequest, 'gasValue' | 'shortfallOf' | 'minOutput'>): Order<Output> =>
  inTurn<Output>(
    lowestFirst(({ amountOut }) => BigInt(amountOut < minOutput)),
    trustedFirst(comparison),
    lowestFirst((quote) => -netOutput(quote, comparison)),
  );

/** Orders quotes of one request by what they take with their gas and their venue's shortfall, the best first. */
export const byWholeInput = (
  comparison: Pick<ExactOutputRequest, 'gasValue' | 'shortfallOf'>,
): Order<Input> =>
  inTurn<Input>(
    trustedFirst(comparison),
    lowestFirst((quote) => wholeInput(quote, comparison)),
  );

const netOutput = ({ venue, amountOut, gas }: Output, comparison: QuoteComparison): bigint =>
  (amountOut * (PPM - shortfall(venue, comparison))) / PPM - (comparison.gasValue?.(gas) ?? 0n);

const wholeInput = ({ venue, amountIn, gas }: Input, comparison: QuoteComparison): bigint =>
  (amountIn * PPM) / (PPM - shortfall(venue, comparison)) + (comparison.gasValue?.(gas) ?? 0n);

/** Below {@link UNTRUSTED_PPM} it is exact; above, it only orders untrusted venues among themselves. */
const shortfall = (venue: string, { shortfallOf }: QuoteComparison): bigint => {
  const ppm = shortfallOf?.(venue) ?? 0n;
  return ppm < PPM ? ppm : PPM - 1n;
};

const trustedFirst = (comparison: QuoteComparison): Order<Pick<VenueQuote, 'venue'>> =>
  lowestFirst(({ venue }) => BigInt(shortfall(venue, comparison) >= UNTRUSTED_PPM));

const lowestFirst =
  <T>(rankOf: (quote: T) => bigint): Order<T> =>
  (one, other) => {
    const [first, second] = [rankOf(one), rankOf(other)];
    return first < second ? -1 : Number(first > second);
  };

const inTurn =
  <T>(...orders: readonly Order<T>[]): Order<T> =>
  (one, other) =>
    orders.reduce((decided, order) => (decided === 0 ? order(one, other) : decided), 0);

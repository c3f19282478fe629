import { answersOfNodes, witnessesNeeded } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { bestExactOutputQuote, bestQuote } from './best-quote.js';
import { byNetOutput, byWholeInput } from './order-quotes.js';
import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  Venue,
  VenueQuote,
} from './venue.js';

/** Best quote by each node that answered; null for a node that has none. */
export type NodeQuotes<T> = readonly (T | null)[];

/** Conclusion from the quotes of several nodes. */
export type AgreedQuote<T> =
  /** Two nodes have an acceptable quote of one route, or the only node that answered. */
  | { kind: 'agreed'; quote: T }
  /** Two nodes have no acceptable quote; the quote is the best that two of them reach, if any. */
  | { kind: 'refused'; quote: T | null }
  /** Nodes disagree, or one alone refuses; the quote is one that is acceptable, if any. */
  | { kind: 'unclear'; quote: T | null };

interface Comparison<T> {
  isAcceptable: (quote: T) => boolean;
  bestFirst: (one: T, other: T) => number;
  /** Names the route of a quote: a node that lies vouches for no route of its own. */
  routeOf: (quote: T) => string;
}

/** Asks each node for its best quote. @throws when none answers */
export const quotesOfNodes = (
  venues: readonly Venue[],
  chain: Chain,
  request: ConversionRequest,
): Promise<NodeQuotes<VenueQuote>> =>
  answersOfNodes(chain, (view) => bestQuote(venues, view, request));

/** Asks each node for its least input of an output. @throws when none answers */
export const exactOutputQuotesOfNodes = (
  venues: readonly Venue[],
  chain: Chain,
  request: ExactOutputRequest,
): Promise<NodeQuotes<ExactOutputQuote>> =>
  answersOfNodes(chain, (view) => bestExactOutputQuote(venues, view, request));

/** Finds the best quote that two nodes reach by the same route. */
export const agreedQuote = (
  chain: Pick<Chain, 'endpoints'>,
  quotes: NodeQuotes<VenueQuote>,
  request: Pick<ConversionRequest, 'gasValue'>,
  isAcceptable: (quote: VenueQuote) => boolean = () => true,
): AgreedQuote<VenueQuote> =>
  agreed(witnessesNeeded(chain), quotes, {
    isAcceptable,
    bestFirst: byNetOutput(request),
    routeOf: ({ venue, route }) => `${venue} ${route}`,
  });

/** Finds the best quote that two nodes accept at the same venue. */
export const agreedExactOutputQuote = (
  chain: Pick<Chain, 'endpoints'>,
  quotes: NodeQuotes<ExactOutputQuote>,
  request: Pick<ExactOutputRequest, 'gasValue'>,
  isAcceptable: (quote: ExactOutputQuote) => boolean = () => true,
): AgreedQuote<ExactOutputQuote> =>
  agreed(witnessesNeeded(chain), quotes, {
    isAcceptable,
    bestFirst: byWholeInput(request),
    routeOf: ({ venue }) => venue,
  });

function agreed<T>(
  needed: number,
  quotes: NodeQuotes<T>,
  { isAcceptable, bestFirst, routeOf }: Comparison<T>,
): AgreedQuote<T> {
  const found = quotes.filter((quote) => quote !== null).sort(bestFirst);
  const acceptable = found.filter(isAcceptable);
  const [only] = acceptable;
  if (quotes.length === 1 && only !== undefined) return { kind: 'agreed', quote: only };
  const reached = [...Map.groupBy(acceptable, routeOf).values()]
    .flatMap((ofRoute) => ofRoute[needed - 1] ?? [])
    .sort(bestFirst)[0];
  if (reached !== undefined) return { kind: 'agreed', quote: reached };
  if (quotes.length - acceptable.length >= needed) {
    return { kind: 'refused', quote: found[needed - 1] ?? null };
  }
  return { kind: 'unclear', quote: acceptable.at(-1) ?? null };
}

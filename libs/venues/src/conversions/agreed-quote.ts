import { answersOfNodes, witnessesNeeded } from '@bascule/chain';
import type { Chain } from '@bascule/chain';
import { venueExactOutputQuotes, venueQuotes } from './best-quote.js';
import { byNetOutput, byWholeInput } from './order-quotes.js';
import type {
  ConversionRequest,
  ExactOutputQuote,
  ExactOutputRequest,
  Venue,
  VenueQuote,
} from './venue.js';

/** Quotes by each node that answered, one of each venue that has any: nodes may differ about which venue is the best. */
export type NodeQuotes<T> = readonly (readonly T[])[];

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

/** Asks each node for its quotes. @throws when none answers */
export const quotesOfNodes = (
  venues: readonly Venue[],
  chain: Chain,
  request: ConversionRequest,
): Promise<NodeQuotes<VenueQuote>> =>
  answersOfNodes(chain, (view) => venueQuotes(venues, view, request));

/** Asks each node for the least inputs of an output. @throws when none answers */
export const exactOutputQuotesOfNodes = (
  venues: readonly Venue[],
  chain: Chain,
  request: ExactOutputRequest,
): Promise<NodeQuotes<ExactOutputQuote>> =>
  answersOfNodes(chain, (view) => venueExactOutputQuotes(venues, view, request));

/** Finds the best quote that two nodes reach by the same route. */
export const agreedQuote = (
  chain: Pick<Chain, 'endpoints'>,
  quotes: NodeQuotes<VenueQuote>,
  request: Pick<ConversionRequest, 'gasValue' | 'shortfallOf' | 'minOutput'>,
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
  request: Pick<ExactOutputRequest, 'gasValue' | 'shortfallOf'>,
  isAcceptable: (quote: ExactOutputQuote) => boolean = () => true,
): AgreedQuote<ExactOutputQuote> =>
  agreed(witnessesNeeded(chain), quotes, {
    isAcceptable,
    bestFirst: byWholeInput(request),
    routeOf: ({ venue }) => venue,
  });

function agreed<T>(
  needed: number,
  answers: NodeQuotes<T>,
  { isAcceptable, bestFirst, routeOf }: Comparison<T>,
): AgreedQuote<T> {
  const acceptable = answers.map((quotes) => quotes.filter(isAcceptable));
  const bestOfNodes = bestOfEach(acceptable, bestFirst);
  const [only] = bestOfNodes;
  if (answers.length === 1 && only !== undefined) return { kind: 'agreed', quote: only };
  const byRoute = Map.groupBy(acceptable.flat().sort(bestFirst), routeOf);
  const [reached] = [...byRoute.values()]
    .flatMap((ofRoute) => ofRoute[needed - 1] ?? [])
    .sort(bestFirst);
  if (reached !== undefined) return { kind: 'agreed', quote: reached };
  if (answers.length - bestOfNodes.length >= needed) {
    return { kind: 'refused', quote: bestOfEach(answers, bestFirst)[needed - 1] ?? null };
  }
  return { kind: 'unclear', quote: bestOfNodes.at(-1) ?? null };
}

/** Best quote by each node that has any, the best first. */
const bestOfEach = <T>(answers: NodeQuotes<T>, bestFirst: Comparison<T>['bestFirst']): T[] =>
  answers.flatMap((quotes) => quotes.toSorted(bestFirst)[0] ?? []).sort(bestFirst);

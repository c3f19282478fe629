import { MAX_UINT256 } from '@bascule/amounts';
import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier, pausedOf, pauseOf, type SwitchesState } from '@bascule/contracts';
import {
  agreedExactOutputQuote,
  agreedQuote,
  bestOutputOf,
  exactOutputQuotesOfNodes,
  leastInputOf,
  quotesOfNodes,
  venueExactOutputQuotes,
  venueQuotes,
  type ExactOutputQuote,
  type GasValue,
  type Venue,
  type VenueQuote,
} from '@bascule/venues';
import { SwitchesService } from '@bascule/switches';
import { Inject, Injectable } from '@nestjs/common';
import type { SourceCaches } from '../routes/request-cache.js';
import { ChainUnavailableFailure, RouteFailure } from '../routes/route-failure.js';
import { pausedFailure } from '../routes/paused-edges.js';
import type { RouteLeg } from '../routes/route.js';
import { VENUES } from './source-registry.js';
import { VenueRatingsService } from './venue-ratings.service.js';

/** A leg of a chain whose tokens are converted. */
interface ConvertedLeg {
  chain: Chain;
  leg: RouteLeg;
  /** In the output token, or in the input token where the output is given. */
  gasValue: GasValue;
}

/** Quotes conversions at the venues of a chain. */
@Injectable()
export class VenueQuoterService {
  constructor(
    @Inject(VENUES) private readonly venues: readonly Venue[],
    private readonly switches: SwitchesService,
    private readonly ratings: VenueRatingsService,
  ) {}

  /** @throws RouteFailure when no venue converts this amount, or the chain is unavailable */
  async requireQuote(
    converted: ConvertedLeg,
    amountIn: bigint,
    caches: SourceCaches,
  ): Promise<VenueQuote> {
    const quote = await this.findQuote(converted, amountIn, caches);
    if (quote) return quote;
    const { leg } = converted;
    const switches = await this.switchesOf(caches);
    const pause = this.names().flatMap((name) => pauseOf(switches, 'venue', name) ?? [])[0];
    if (pause !== undefined) throw pausedFailure(pause);
    const message = `No venue converts ${leg.inputToken} to ${leg.outputToken} in this amount.`;
    throw new RouteFailure(this.names(), [{ kind: 'other', message }]);
  }

  /**
   * Returns null when no venue converts this amount. All nodes are asked where the first one has no acceptable quote: a
   * single one refuses none.
   * @throws RouteFailure when the chain is unavailable
   */
  async findQuote(
    { chain, leg, gasValue }: ConvertedLeg,
    amountIn: bigint,
    caches: SourceCaches,
    isAcceptable: (quote: VenueQuote) => boolean = () => true,
  ): Promise<VenueQuote | null> {
    const shortfallOf = await this.ratings.shortfallsOn(chain.name);
    const request = { ...tokensOf(leg), amountIn, gasValue, shortfallOf };
    const { budget } = caches;
    const question = [leg.inputToken, leg.outputToken, amountIn];
    const ofOneNode = await this.ask(
      chain,
      caches.conversions.get(question, async () =>
        venueQuotes(await this.open(caches), chain.anyNode, { ...request, budget }),
      ),
    );
    const first = bestOutputOf(ofOneNode, request, isAcceptable);
    if (isDecisive(chain, first, isAcceptable)) return first;
    const quotes = await this.ask(
      chain,
      caches.conversionsOfNodes.get(question, async () =>
        quotesOfNodes(await this.open(caches), chain, { ...request, budget }),
      ),
    );
    return agreedQuote(chain, quotes, request, isAcceptable).quote ?? first;
  }

  /**
   * Returns null when no venue has this output. Asks all nodes like {@link findQuote}.
   * @throws RouteFailure when the chain is unavailable
   */
  async findExactOutput(
    { chain, leg, gasValue }: ConvertedLeg,
    amountOut: bigint,
    caches: SourceCaches,
    isAcceptable: (quote: ExactOutputQuote) => boolean = () => true,
  ): Promise<ExactOutputQuote | null> {
    if (amountOut > MAX_UINT256) return null;
    const shortfallOf = await this.ratings.shortfallsOn(chain.name);
    const request = { ...tokensOf(leg), amountOut, gasValue, shortfallOf };
    const { budget } = caches;
    const question = [leg.inputToken, leg.outputToken, amountOut];
    const ofOneNode = await this.ask(
      chain,
      caches.exactOutputs.get(question, async () =>
        venueExactOutputQuotes(await this.open(caches), chain.anyNode, { ...request, budget }),
      ),
    );
    const first = leastInputOf(ofOneNode, request, isAcceptable);
    if (isDecisive(chain, first, isAcceptable)) return first;
    const quotes = await this.ask(
      chain,
      caches.exactOutputsOfNodes.get(question, async () =>
        exactOutputQuotesOfNodes(await this.open(caches), chain, { ...request, budget }),
      ),
    );
    return agreedExactOutputQuote(chain, quotes, request, isAcceptable).quote ?? first;
  }

  /** Venues that no operator has paused. */
  private async open(caches: SourceCaches): Promise<Venue[]> {
    const paused = pausedOf(await this.switchesOf(caches), 'venue');
    return this.venues.filter(({ name }) => !paused.has(name));
  }

  private switchesOf({ switches }: SourceCaches): Promise<SwitchesState> {
    return switches.get([], () => this.switches.current());
  }

  private ask<T>(chain: Chain, quote: Promise<T>): Promise<T> {
    return quote.catch((cause: unknown) => {
      const message = `Could not quote at the venues of ${chain.name}.`;
      throw new ChainUnavailableFailure(this.names(), [{ kind: 'other', message }], { cause });
    });
  }

  private readonly names = (): string[] => this.venues.map(({ name }) => name);
}

/** Whether no other node has to be asked. */
const isDecisive = <T>(
  { endpoints }: Chain,
  quote: T | null,
  isAcceptable: (quote: T) => boolean,
): boolean => endpoints.length === 1 || (quote !== null && isAcceptable(quote));

const tokensOf = ({ inputToken, outputToken }: RouteLeg) => ({
  inputToken: parseTokenIdentifier(inputToken).address,
  outputToken: parseTokenIdentifier(outputToken).address,
});

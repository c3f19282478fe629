import type { Chain } from '@bascule/chain';
import { parseTokenIdentifier } from '@bascule/contracts';
import { bestQuote, type Venue, type VenueQuote } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { RouteFailure, SilentChainFailure } from '../../routes/route-failure.js';
import type { RouteLeg } from '../../routes/route.js';

export const VENUES = Symbol('VENUES');

/** Asks the venues of a chain what a conversion would give. */
@Injectable()
export class VenueQuoterService {
  constructor(@Inject(VENUES) private readonly venues: readonly Venue[]) {}

  /** @throws RouteFailure when no venue converts this amount, or none can be asked */
  async convert(chain: Chain, leg: RouteLeg, amountIn: bigint): Promise<VenueQuote> {
    const quote = await this.tryConvert(chain, leg, amountIn);
    if (quote) return quote;
    const message = `No venue converts ${leg.inputToken} to ${leg.outputToken} in this amount.`;
    throw new RouteFailure(this.names(), [{ kind: 'other', message }]);
  }

  /** Null when no venue converts this amount. @throws RouteFailure when none can be asked */
  async tryConvert(chain: Chain, leg: RouteLeg, amountIn: bigint): Promise<VenueQuote | null> {
    return bestQuote(this.venues, chain, {
      inputToken: parseTokenIdentifier(leg.inputToken).address,
      outputToken: parseTokenIdentifier(leg.outputToken).address,
      amountIn,
    }).catch((cause: unknown) => {
      const message = `The venues of ${chain.name} cannot be asked.`;
      throw new SilentChainFailure(this.names(), [{ kind: 'other', message }], { cause });
    });
  }

  private readonly names = (): string[] => this.venues.map(({ name }) => name);
}

import type { Chain } from '@bascule/chain';
import type { Pause } from '@bascule/contracts';
import type { Leg as DeclaredLeg } from '@bascule/solidity';
import type { Venue } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { GasPricesService } from '../costs/gas-prices.service.js';
import { PausesService } from '../pauses/pauses.service.js';
import { refusedShortfall } from '../ratings/shortfall.js';
import { VenueRatingsService } from '../ratings/venue-ratings.service.js';
import { isQuoteRefuted } from './conversion-blame.js';
import { planConversion, VENUES, venuesFor } from './conversion.client.js';
import type { Conversion, PlannedConversion } from './conversion.client.js';
import type { RevertReason } from './revert-reason.js';

interface PlannedLeg {
  chain: Chain;
  declared: DeclaredLeg;
}

/** Plans the conversions of legs at the venues that no operator has paused. */
@Injectable()
export class LegConversionsService {
  constructor(
    private readonly pauses: PausesService,
    private readonly gasPrices: GasPricesService,
    private readonly ratings: VenueRatingsService,
    @Inject(VENUES) private readonly venues: readonly Venue[],
  ) {}

  /** Plans a conversion, and names the paused venue that might have converted it. Throws like {@link planConversion}. */
  async plan(
    { chain, declared }: PlannedLeg,
    amountIn: bigint,
  ): Promise<{ conversion: Conversion; pause: Pause | undefined }> {
    const usable = venuesFor(this.venues, chain, declared);
    const { open, pause } = await this.pauses.venuesOf(usable);
    const comparison = {
      gasValue: await this.gasPrices.valueIn(chain, declared.outputToken),
      shortfallOf: await this.ratings.shortfallsOn(chain.name),
    };
    return { conversion: await planConversion(open, chain, declared, amountIn, comparison), pause };
  }

  /** Measures a conversion whose transaction would revert. */
  refused(
    { chain, declared }: PlannedLeg,
    { venue, output }: PlannedConversion,
    reason: Extract<RevertReason, { kind: 'failed' }>,
  ): void {
    if (venue === null || reason.reason !== 'slippage' || !isQuoteRefuted(declared, output)) return;
    this.ratings.measure(refusedShortfall(chain.name, venue));
  }
}

import type { Chain } from '@bascule/chain';
import type { Pause } from '@bascule/contracts';
import type { Leg as DeclaredLeg } from '@bascule/solidity';
import type { QuoteComparison, ShortfallOf, Venue } from '@bascule/venues';
import { Inject, Injectable } from '@nestjs/common';
import { GasPricesService } from '../costs/gas-prices.service.js';
import type { Leg, LegFailure } from '../life-cycle/payment-record.js';
import { PausesService } from '../pauses/pauses.service.js';
import { refusedShortfall } from '../ratings/shortfall.js';
import type { Measure } from '../ratings/shortfall.js';
import { VenueRatingsService } from '../ratings/venue-ratings.service.js';
import { isQuoteRefuted } from './conversion-blame.js';
import { planConversion, VENUES, venuesFor } from './conversion.client.js';
import type { Conversion, PlannedConversion } from './conversion.client.js';
import type { RevertReason } from './revert-reason.js';

interface PlannedLeg {
  leg: Leg;
  chain: Chain;
  declared: DeclaredLeg;
}

/** Shortfall of a venue that is asked last. */
const WHOLE_PPM = 1_000_000n;

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
    planned: PlannedLeg,
    amountIn: bigint,
  ): Promise<{ conversion: Conversion; pause: Pause | undefined }> {
    const { chain, declared } = planned;
    const usable = venuesFor(this.venues, chain, declared);
    const { open, pause } = await this.pauses.venuesOf(usable);
    const isConverted = declared.inputToken !== declared.outputToken;
    const comparison = isConverted ? await this.comparisonFor(planned) : {};
    return { conversion: await planConversion(open, chain, declared, amountIn, comparison), pause };
  }

  /** Failure of an attempt whose simulation failed, and its measurement, where that shows that the quote was false. */
  refusal(
    { declared }: PlannedLeg,
    { venue, output }: PlannedConversion,
    failure: Extract<RevertReason, { kind: 'failed' }>,
  ): [LegFailure, Measure?] {
    const isRefuted = failure.reason === 'slippage' && isQuoteRefuted(declared, output);
    if (venue === null || !isRefuted) return [failure];
    const measure: Measure = (leg) => refusedShortfall(leg, venue);
    return [{ ...failure, refutedVenues: [venue] }, measure];
  }

  /** Facts by which quotes are compared. A venue that has failed the leg is asked last by it, whatever its rating. */
  private async comparisonFor({ leg, chain, declared }: PlannedLeg): Promise<QuoteComparison> {
    const [gasValue, ratedShortfallOf] = await Promise.all([
      this.gasPrices.valueIn(chain, declared.outputToken),
      this.ratings.shortfallsOn(chain.name),
    ]);
    const refuted = new Set(leg.failure?.refutedVenues);
    const shortfallOf: ShortfallOf = (venue) =>
      refuted.has(venue) ? WHOLE_PPM : ratedShortfallOf(venue);
    return { gasValue, shortfallOf };
  }
}

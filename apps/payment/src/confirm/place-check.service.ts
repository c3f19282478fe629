import { invalidRequest, placeName, refusedPlace } from '@bascule/contracts';
import { CountryRulesService } from '@bascule/country-rules';
import { Geolocator } from '@bascule/geolocation';
import type { Caller } from '@bascule/identity';
import { Injectable } from '@nestjs/common';
import type { QuotedFacts } from './payment-terms.js';
import type { ChosenQuote } from './quote-choice.service.js';

type QuotedPlaces = Pick<QuotedFacts, 'geolocation' | 'further_places'>;

/** Refuses confirmations from places that the country rules exclude. */
@Injectable()
export class PlaceCheckService {
  constructor(
    private readonly countryRules: CountryRulesService,
    private readonly geolocator: Geolocator,
  ) {}

  /**
   * Checks every possible place of the customer at the quote and, for a publishable key (a page in the customer's browser), the caller's.
   * @throws ServiceError 400 with a `geolocation` issue
   */
  async check(
    { state, quote }: Pick<ChosenQuote, 'quote'> & { state: QuotedPlaces },
    caller: Caller,
  ): Promise<void> {
    const { geolocation, further_places = [] } = state;
    const places = [geolocation, ...further_places, this.locate(caller)].filter(
      (place) => place !== null,
    );
    const at = refusedPlace(await this.countryRules.current(), places, quote.onramp_method);
    if (at === undefined) return;
    const means = quote.onramp_method === undefined ? 'Payments are' : `${quote.onramp_method} is`;
    throw invalidRequest({
      kind: 'geolocation',
      message: `${means} not available in ${placeName(at)}.`,
    });
  }

  private locate({ kind, clientIp }: Caller) {
    return kind === 'publishable' && clientIp !== undefined
      ? this.geolocator.locate(clientIp)
      : null;
  }
}

import type { PaymentMethod } from '@bascule/contracts';
import type { OnrampPlaces } from '@bascule/providers';

/** Restriction of payment methods (all when none are listed) to places, on top of the providers' own. */
export interface CountryRule {
  methods?: readonly PaymentMethod[];
  places: OnrampPlaces;
}

/** Countries and territories of the Single Euro Payments Area with their own country code. */
const SEPA_AREA =
  'ALB AND AUT BEL BGR BLM CHE CYP CZE DEU DNK ESP EST FIN FRA GBR GGY GIB GLP GRC GUF HRV HUN IMN IRL ISL ITA JEY LIE LTU LUX LVA MAF MCO MDA MKD MLT MNE MTQ MYT NLD NOR POL PRT REU ROU SMR SPM SRB SVK SVN SWE VAT'.split(
    ' ',
  );

export const COUNTRY_RULES: readonly CountryRule[] = [
  // Embargoes on whole countries, and on Crimea (40, 43), Luhansk (09) and Donetsk (14).
  { places: { except: ['CUB', 'IRN', 'PRK', 'UKR-09', 'UKR-14', 'UKR-40', 'UKR-43'] } },
  // Rails of one country or area: only accounts there can be debited.
  { methods: ['ACH', 'VENMO'], places: { only: ['USA'] } },
  { methods: ['SEPA'], places: { only: SEPA_AREA } },
  { methods: ['FASTER_PAYMENTS'], places: { only: ['GBR', 'GGY', 'GIB', 'IMN', 'JEY'] } },
  { methods: ['PIX'], places: { only: ['BRA'] } },
  { methods: ['SPEI'], places: { only: ['MEX'] } },
  { methods: ['UPI'], places: { only: ['IND'] } },
];

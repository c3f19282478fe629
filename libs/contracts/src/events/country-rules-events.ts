import type { PaymentMethod } from '../http/payment-methods.js';
import type { EventEnvelope, Versioned } from './envelope.js';

/** An alpha-3 country code, with a subdivision's code where only that part of it is meant: `USA`, `USA-NY`. */
export type Place = string;

/** Rules on where the deployment serves customers, on top of what providers say. */
export interface CountryRules {
  /** Places without any service. */
  prohibited: readonly Place[];
  /** Places in which a payment method can be used; a method that is absent can be used everywhere. */
  methods: Readonly<Partial<Record<PaymentMethod, readonly Place[]>>>;
}

/** The rules and their version, which each change of an operator increments; absent in the topic until the first. */
export interface CountryRulesState extends CountryRules, Versioned {}

/** Key of the only record in the topic of country rules. */
export const COUNTRY_RULES_KEY = 'country-rules';

export const COUNTRY_RULES_EVENT_TYPES = ['country_rules.changed'] as const;
export type CountryRulesEvent = EventEnvelope<
  (typeof COUNTRY_RULES_EVENT_TYPES)[number],
  CountryRulesState
>;

/** Countries and territories of the Single Euro Payments Area with their own country code. */
const SEPA_AREA =
  'ALB AND AUT BEL BGR BLM CHE CYP CZE DEU DNK ESP EST FIN FRA GBR GGY GIB GLP GRC GUF HRV HUN IMN IRL ISL ITA JEY LIE LTU LUX LVA MAF MCO MDA MKD MLT MNE MTQ MYT NLD NOR POL PRT REU ROU SMR SPM SRB SVK SVN SWE VAT'.split(
    ' ',
  );

/** Rules of a deployment whose operator has changed none. */
export const DEFAULT_COUNTRY_RULES: CountryRulesState = {
  version: 0,
  // Embargoes on whole countries, and on Luhansk (09), Donetsk (14) and Crimea (40, 43).
  prohibited: ['CUB', 'IRN', 'PRK', 'UKR-09', 'UKR-14', 'UKR-40', 'UKR-43'],
  // Rails of one country or area: only accounts there can be debited.
  methods: {
    ACH: ['USA'],
    VENMO: ['USA'],
    SEPA: SEPA_AREA,
    FASTER_PAYMENTS: ['GBR', 'GGY', 'GIB', 'IMN', 'JEY'],
    PIX: ['BRA'],
    SPEI: ['MEX'],
    UPI: ['IND'],
  },
};

import currencies from 'country-to-currency';
import { iso31661, iso31662 } from 'iso-3166';

export interface Country {
  alpha2: string;
  alpha3: string;
  /** ISO 4217, lower case. */
  currency: string;
}

/** In common use, though not assigned by ISO 3166. */
const USER_ASSIGNED = [{ alpha2: 'XK', alpha3: 'XKX' }];

const currencyOf: Readonly<Record<string, string | undefined>> = currencies;

const byAlpha2: ReadonlyMap<string, Country> = new Map(
  [...iso31661, ...USER_ASSIGNED].flatMap(({ alpha2, alpha3 }): [string, Country][] => {
    const currency = currencyOf[alpha2]?.toLowerCase();
    return currency === undefined ? [] : [[alpha2, { alpha2, alpha3, currency }]];
  }),
);

const alpha3Codes: ReadonlySet<string> = new Set(
  [...iso31661, ...USER_ASSIGNED].map(({ alpha3 }) => alpha3),
);

/** Whether a country has this alpha-3 code: assigned by ISO 3166-1, or Kosovo's `XKX`, which a location may have. */
export const isCountry = (alpha3: string): boolean => alpha3Codes.has(alpha3);

/** Finds a country by its ISO 3166-1 alpha-2 code; undefined for other codes such as `EU` or `ZZ`. */
export const countryOf = (alpha2: string): Country | undefined =>
  byAlpha2.get(alpha2.toUpperCase());

const places: ReadonlySet<string> = new Set([
  ...alpha3Codes,
  ...iso31662.flatMap(({ code }) => {
    const [alpha2 = '', subdivision = ''] = code.split('-', 2);
    const country = byAlpha2.get(alpha2);
    return country === undefined ? [] : [`${country.alpha3}-${subdivision}`];
  }),
]);

/** Whether this is a country's alpha-3 code, or one with a subdivision's code of ISO 3166-2: `USA`, `USA-NY`. */
export const isPlace = (code: string): boolean => places.has(code);

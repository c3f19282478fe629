import { iso31661Alpha2ToAlpha3, iso31661Alpha3ToAlpha2 } from 'iso-3166';

/** In common use, though not assigned by ISO 3166. */
const KOSOVO = { alpha2: 'XK', alpha3: 'XKX' };

const byAlpha2: ReadonlyMap<string, string> = new Map([
  ...Object.entries(iso31661Alpha2ToAlpha3),
  [KOSOVO.alpha2, KOSOVO.alpha3],
]);

const byAlpha3: ReadonlyMap<string, string> = new Map([
  ...Object.entries(iso31661Alpha3ToAlpha2),
  [KOSOVO.alpha3, KOSOVO.alpha2],
]);

/** Converts `US` to `USA`; undefined for a code of no country. */
export const alpha3Of = (alpha2: string): string | undefined => byAlpha2.get(alpha2.toUpperCase());

/** Converts `USA` to `US`; undefined for a code of no country. */
export const alpha2Of = (alpha3: string): string | undefined => byAlpha3.get(alpha3);

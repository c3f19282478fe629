/** Place of a record. */
export interface RecordedPlace {
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** ISO 3166-2 code without the country. */
  subdivisionCode?: string;
  subdivisionName?: string;
}

const CODE = /^[A-Z0-9]{1,3}$/;

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/**
 * Reads a record of MaxMind's shape (`country.iso_code`, `subdivisions[0].iso_code`), and the flat one of ip-location-db
 * (`country_code`, `state1` by name). Null when it names no country.
 */
export function placeOfRecord(record: unknown): RecordedPlace | null {
  const { country_code, state1, country, subdivisions } = objectOf(record);
  const flat = textOf(country_code);
  if (flat !== '') return { country: flat, ...named(textOf(state1)) };
  const nested = textOf(objectOf(country)['iso_code']);
  if (nested === '') return null;
  const first = objectOf(Array.isArray(subdivisions) ? subdivisions[0] : undefined);
  const code = textOf(first['iso_code']).toUpperCase();
  if (CODE.test(code)) return { country: nested, subdivisionCode: code };
  return { country: nested, ...named(textOf(objectOf(first['names'])['en'])) };
}

const named = (name: string) => (name === '' ? {} : { subdivisionName: name });

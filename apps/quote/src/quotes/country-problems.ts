import type { ValidationError } from '@bascule/contracts';
import { customProblem, textAt } from '../requests/unknown-names.js';

const COUNTRY = ['customer_geolocation', 'alpha3_country_code'];

/** Problem of a well-formed country code that no country has; malformed ones are left to the DTO. */
export function countryProblems(
  body: unknown,
  isCountry: (alpha3: string) => boolean,
): ValidationError[] {
  const code = textAt(body, COUNTRY);
  if (code === undefined || !/^[A-Z]{3}$/.test(code) || isCountry(code)) return [];
  return [customProblem(COUNTRY, `Unknown country ${code}; expected an ISO 3166-1 alpha-3 code.`)];
}

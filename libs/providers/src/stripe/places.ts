import type { OnrampPlaces } from '../port/onramp-provider.js';

const EU = [
  ...['AUT', 'BEL', 'BGR', 'CYP', 'CZE', 'DEU', 'DNK', 'ESP', 'EST', 'FIN', 'FRA', 'GRC', 'HRV'],
  ...['HUN', 'IRL', 'ITA', 'LTU', 'LUX', 'LVA', 'MLT', 'NLD', 'POL', 'PRT', 'ROU', 'SVK', 'SVN'],
  'SWE',
];

/** Documented by Stripe: the United States without Hawaii, and the European Union. */
export const DOCUMENTED_PLACES: OnrampPlaces = { only: ['USA', ...EU], except: ['USA-HI'] };

import type { Place } from '@bascule/contracts';
import type { OnrampPlaces } from '../port/onramp-provider.js';
import type { StripePair } from './pairs.js';

const EU = [
  ...['AUT', 'BEL', 'BGR', 'CYP', 'CZE', 'DEU', 'DNK', 'ESP', 'EST', 'FIN', 'FRA', 'GRC', 'HRV'],
  ...['HUN', 'IRL', 'ITA', 'LTU', 'LUX', 'LVA', 'MLT', 'NLD', 'POL', 'PRT', 'ROU', 'SVK', 'SVN'],
  'SWE',
];

/** Tokens that Stripe's documentation restricts by region, by currency and network; `*` is every network. */
const RESTRICTED: readonly { currency: string; network: string; except: readonly Place[] }[] = [
  { currency: 'usdc', network: 'base', except: EU },
  { currency: 'usdc', network: 'polygon', except: [...EU, 'USA-NY'] },
  { currency: 'usdc', network: 'avalanche', except: [...EU, 'USA-NY'] },
  { currency: 'eth', network: 'base', except: EU },
  { currency: 'matic', network: '*', except: EU },
  { currency: 'avax', network: '*', except: EU },
];

/** Documented places of a token, where the operator names none; undefined without a restriction. */
export function documentedPlaces({ currency, network }: StripePair): OnrampPlaces | undefined {
  const restricted = RESTRICTED.find(
    (each) => each.currency === currency && ['*', network].includes(each.network),
  );
  return restricted && { except: [...restricted.except] };
}

/** Documented by Stripe: the United States without Hawaii, and the European Union. */
export const DOCUMENTED_PLACES: OnrampPlaces = { only: ['USA', ...EU], except: ['USA-HI'] };

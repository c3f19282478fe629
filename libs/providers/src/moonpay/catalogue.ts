import type { TokenIdentifier } from '@bascule/contracts';
import type { OnrampLimits, OnrampPlaces } from '../port/onramp-provider.js';
import { readEach, type JsonObject } from '../wire/json-object.js';
import { isLockable } from '../wire/locked-terms.js';
import { nativeOnChain, tokenOnChain } from '../wire/tokens.js';

/** A token for sale. */
export interface SoldCurrency {
  /** MoonPay's code, such as `usdc_base`. */
  code: string;
  token: TokenIdentifier;
  places?: OnrampPlaces;
}

/** Currencies that an account sells, and the places where it does. */
export interface MoonPayCatalogue {
  fiats: ({ code: string } & OnrampLimits)[];
  currencies: SoldCurrency[];
  places: OnrampPlaces;
}

interface Country {
  alpha2: string;
  alpha3: string;
  isServed: boolean;
  refusedStates: string[];
}

const NATIVE = /^0x0{40}$/;
const USA = 'USA';

const subdivision = (country: string, state: string): string =>
  `${country}-${state.replace(/^[A-Z]{2}-/, '')}`;

function readCountry(item: JsonObject): Country {
  const alpha3 = item.string('alpha3');
  const states = item.has('states') ? item.objects('states') : [];
  return {
    alpha2: item.string('alpha2'),
    alpha3,
    isServed: item.boolean('isBuyAllowed'),
    refusedStates: states
      .filter((state) => !state.boolean('isBuyAllowed'))
      .map((state) => subdivision(alpha3, state.string('code'))),
  };
}

const strings = (item: JsonObject, name: string): string[] =>
  item.has(name) ? item.strings(name) : [];

/** Spelled both ways in MoonPay's documentation. */
const isRefusedInUsa = (item: JsonObject): boolean =>
  ['isSupportedInUS', 'isSupportedInUs'].some((name) => item.has(name) && !item.boolean(name));

function readExceptions(item: JsonObject, countries: readonly Country[]): string[] {
  const refused = strings(item, 'notAllowedCountries').flatMap(
    (code) =>
      countries.find(({ alpha2, alpha3 }) => [alpha2, alpha3].includes(code.toUpperCase()))
        ?.alpha3 ?? [],
  );
  const states = strings(item, 'notAllowedUSStates').map((state) => subdivision(USA, state));
  return [...refused, ...(isRefusedInUsa(item) ? [USA] : states)];
}

/** A currency without a contract is the chain's own only under its symbol: a missing field makes no token native. */
function readToken(item: JsonObject, code: string): TokenIdentifier | undefined {
  if (!item.has('metadata')) return undefined;
  const metadata = item.object('metadata');
  const chainId = Number(metadata.optional('chainId') ?? Number.NaN);
  const contract = metadata.optional('contractAddress');
  if (contract !== undefined && !NATIVE.test(contract)) return tokenOnChain(chainId, contract);
  const [symbol = ''] = code.split('_');
  return nativeOnChain(chainId, symbol);
}

function readCurrency(item: JsonObject, countries: readonly Country[]): SoldCurrency | undefined {
  const code = item.string('code');
  const token = readToken(item, code);
  if (token === undefined || !isLockable(code)) return undefined;
  const except = readExceptions(item, countries);
  return { code, token, ...(except.length > 0 && { places: { except } }) };
}

const isForSale = (item: JsonObject, mode: 'supportsTestMode' | 'supportsLiveMode'): boolean =>
  !(item.has('isSuspended') && item.boolean('isSuspended')) &&
  !(item.has(mode) && !item.boolean(mode));

const readFiat = (item: JsonObject): { code: string } & OnrampLimits => ({
  code: item.string('code').toLowerCase(),
  ...readLimits(item),
});

/** Reads `GET /v3/currencies` and `GET /v3/countries`. A fiat without limits and a token of another chain are left out. */
export function readCatalogue(
  currencies: unknown,
  countries: unknown,
  { isTest }: { isTest: boolean },
): MoonPayCatalogue {
  const places = readEach(countries, 'countries', readCountry);
  const served = places.filter(({ isServed }) => isServed);
  const mode = isTest ? 'supportsTestMode' : 'supportsLiveMode';
  const items = readEach(currencies, 'currencies', (item) => ({
    fiat: item.is('type', 'fiat') ? readFiat(item) : undefined,
    sold:
      item.is('type', 'crypto') && isForSale(item, mode) ? readCurrency(item, places) : undefined,
  }));
  const sold = items.flatMap((item) => item.sold ?? []);
  return {
    fiats: items.flatMap(({ fiat }) => fiat ?? []),
    // A token under two codes is sold under the first.
    currencies: sold.filter(
      ({ token }, index) => sold.findIndex((each) => each.token === token) === index,
    ),
    places: {
      only: served.map(({ alpha3 }) => alpha3),
      except: served.flatMap(({ refusedStates }) => refusedStates),
    },
  };
}

export const readLimits = (item: JsonObject): OnrampLimits => ({
  min: item.decimal('minBuyAmount'),
  max: item.decimal('maxBuyAmount'),
});

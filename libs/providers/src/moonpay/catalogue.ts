import type { TokenIdentifier } from '@bascule/contracts';
import type { OnrampLimits, OnrampPlaces } from '../port/onramp-provider.js';
import { JsonObject } from '../wire/json-object.js';
import { tokenOnChain } from '../wire/tokens.js';

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
  /** Tokens by code, also those not for sale any more. */
  tokens: ReadonlyMap<string, TokenIdentifier>;
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
    (code) => countries.find(({ alpha2 }) => alpha2 === code)?.alpha3 ?? [],
  );
  const states = strings(item, 'notAllowedUSStates').map((state) => subdivision(USA, state));
  return [...refused, ...(isRefusedInUsa(item) ? [USA] : states)];
}

function readToken(item: JsonObject): TokenIdentifier | undefined {
  if (!item.has('metadata')) return undefined;
  const metadata = item.object('metadata');
  if (!metadata.has('chainId')) return undefined;
  const contract = metadata.has('contractAddress') ? metadata.string('contractAddress') : null;
  const isNative = contract === null || NATIVE.test(contract);
  return tokenOnChain(Number(metadata.string('chainId')), isNative ? null : contract);
}

function readCurrency(item: JsonObject, countries: readonly Country[]): SoldCurrency | undefined {
  const token = readToken(item);
  if (token === undefined) return undefined;
  const except = readExceptions(item, countries);
  return {
    code: item.string('code'),
    token,
    ...(except.length > 0 && { places: { except } }),
  };
}

const isForSale = (item: JsonObject, mode: 'supportsTestMode' | 'supportsLiveMode'): boolean =>
  !(item.has('isSuspended') && item.boolean('isSuspended')) &&
  !(item.has(mode) && !item.boolean(mode));

/** Reads `GET /v3/currencies` and `GET /v3/countries`. A fiat without limits and a token of another chain are left out. */
export function readCatalogue(
  currencies: unknown,
  countries: unknown,
  { isTest }: { isTest: boolean },
): MoonPayCatalogue {
  const places = JsonObject.listOf(countries).map(readCountry);
  const served = places.filter(({ isServed }) => isServed);
  const items = JsonObject.listOf(currencies);
  const ofType = (type: string) => items.filter((item) => item.string('type') === type);
  const cryptos = ofType('crypto');
  const mode = isTest ? 'supportsTestMode' : 'supportsLiveMode';
  const sold = cryptos
    .filter((item) => isForSale(item, mode))
    .flatMap((item) => readCurrency(item, places) ?? []);
  return {
    fiats: ofType('fiat')
      .filter((item) => item.has('minBuyAmount') && item.has('maxBuyAmount'))
      .map((item) => ({ code: item.string('code').toLowerCase(), ...readLimits(item) })),
    // A token under two codes is sold under the first.
    currencies: sold.filter(
      ({ token }, index) => sold.findIndex((each) => each.token === token) === index,
    ),
    tokens: new Map(
      cryptos.flatMap((item) => {
        const token = readToken(item);
        return token === undefined ? [] : [[item.string('code'), token] as const];
      }),
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

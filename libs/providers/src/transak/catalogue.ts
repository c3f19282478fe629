import type { TokenIdentifier } from '@bascule/contracts';
import type { OnrampLimits, OnrampPlaces } from '../port/onramp-provider.js';
import { alpha3Of } from '../wire/countries.js';
import { JsonObject, readEach, told } from '../wire/json-object.js';
import { isLockable } from '../wire/locked-terms.js';
import { nativeOnChain, tokenOnChain } from '../wire/tokens.js';

/** A way to pay in a fiat, with Transak's limits and countries for it. */
export interface PaymentOption extends OnrampLimits {
  /** `credit_debit_card`, for example. */
  id: string;
  places: OnrampPlaces;
}

/** A token for sale. */
export interface SoldCurrency {
  symbol: string;
  network: string;
  token: TokenIdentifier;
  places?: OnrampPlaces;
  /** Fiats, each with a payment option, for which it is not sold. */
  exceptions: readonly string[];
}

/** Currencies that an account sells. */
export interface TransakCatalogue {
  /** By lower-case fiat code. */
  fiats: ReadonlyMap<string, readonly PaymentOption[]>;
  currencies: readonly SoldCurrency[];
}

/** The ways in which lists of tokens write that a currency has no contract. */
const NATIVE = /^0x(?:0{40}|e{40})$/i;

const countries = (codes: readonly string[]): string[] =>
  codes.flatMap((code) => alpha3Of(code) ?? []);

/** Limits in another currency than the fiat cannot be compared. */
function readOption(
  item: JsonObject,
  { fiat, only }: { fiat: string; only: readonly string[] },
): PaymentOption | undefined {
  if (!item.boolean('isActive') || item.string('limitCurrency') !== fiat) return undefined;
  const own = item.has('supportedCountryCode') ? item.strings('supportedCountryCode') : [];
  return {
    id: item.string('id'),
    min: item.decimal('minAmount'),
    max: item.decimal('maxAmount'),
    places: { only: countries(own.length > 0 ? own : only) },
  };
}

function readFiat(item: JsonObject): [string, PaymentOption[]] | undefined {
  const fiat = item.string('symbol');
  if (!item.boolean('isAllowed')) return undefined;
  const only = item.strings('supportingCountries');
  const options = readEach(item.list('paymentOptions'), 'paymentOptions', (option) =>
    readOption(option, { fiat, only }),
  );
  return [fiat.toLowerCase(), options.flatMap((option) => option ?? [])];
}

const exceptionOf = (fiat: string, option: string): string => `${fiat.toLowerCase()} ${option}`;

const readExceptions = (network: JsonObject): string[] =>
  (told(() => network.list('fiatCurrenciesNotSupported')) ?? []).flatMap(
    (entry) =>
      told(() => {
        const item = JsonObject.of(entry);
        return exceptionOf(item.string('fiatCurrency'), item.string('paymentMethod'));
      }) ?? [],
  );

/** A currency without a contract is the chain's own only under its symbol: a missing field makes no token native. */
function readToken(item: JsonObject, chainId: number): TokenIdentifier | undefined {
  const contract = item.optional('address');
  if (contract !== undefined && !NATIVE.test(contract)) return tokenOnChain(chainId, contract);
  return nativeOnChain(chainId, item.string('symbol'));
}

function readCurrency(item: JsonObject): SoldCurrency | undefined {
  const isSuspended = item.has('isSuspended') && item.boolean('isSuspended');
  if (!item.boolean('isAllowed') || isSuspended) return undefined;
  const network = item.object('network');
  const [symbol, name] = [item.string('symbol'), network.string('name')];
  const token = readToken(item, Number(network.optional('chainId') ?? Number.NaN));
  if (token === undefined || !isLockable(symbol) || !isLockable(name)) return undefined;
  const except = item.has('kycCountriesNotSupported')
    ? countries(item.strings('kycCountriesNotSupported'))
    : [];
  return {
    symbol,
    network: name,
    token,
    ...(except.length > 0 && { places: { except } }),
    exceptions: readExceptions(network),
  };
}

/** Whether a token is sold for a fiat by a payment option. */
export const isSoldFor = (
  { exceptions }: SoldCurrency,
  { fiat, option }: { fiat: string; option: string },
): boolean => !exceptions.includes(exceptionOf(fiat, option));

const listOf = (answer: unknown): unknown => JsonObject.of(answer).list('response');

/** Reads the lists of fiats and tokens. What is not active, and tokens of other chains, are left out. */
export function readCatalogue(fiats: unknown, currencies: unknown): TransakCatalogue {
  const sold = readEach(listOf(currencies), 'currencies', readCurrency).flatMap(
    (currency) => currency ?? [],
  );
  return {
    fiats: new Map(
      readEach(listOf(fiats), 'fiats', readFiat).flatMap((fiat) => (fiat ? [fiat] : [])),
    ),
    // A token under two names is sold under the first.
    currencies: sold.filter(
      ({ token }, index) => sold.findIndex((each) => each.token === token) === index,
    ),
  };
}

import countryToCurrency from 'country-to-currency';
import iso from 'currency-codes';

/** Currencies that the list of ISO 4217 codes is too old to have. */
const ADDED = [{ code: 'XCG', currency: 'Caribbean Guilder', digits: 2 }];
/** Currencies that are no longer in use. */
const WITHDRAWN = new Set(['ANG']);

/** Country of a currency that several use and whose code does not begin with theirs: a union, and its bank's seat. */
const UNIONS = {
  EUR: { issuer: 'European Central Bank', flag: 'eu' },
  XAF: { issuer: 'Bank of Central African States', flag: 'cm' },
  XOF: { issuer: 'Central Bank of West African States', flag: 'sn' },
  XCD: { issuer: 'Eastern Caribbean Central Bank', flag: 'kn' },
  XPF: { issuer: "Institut d'émission d'outre-mer", flag: 'pf' },
  XCG: { issuer: 'Centrale Bank van Curaçao en Sint Maarten', flag: 'cw' },
};

const FLAGS = 'https://flagcdn.com';
const countries = new Intl.DisplayNames(['en'], { type: 'region' });
const commonNames = new Intl.DisplayNames(['en'], { type: 'currency' });

/** Only where there is one: CLDR says the code of a currency without a sign. */
function signOf(code) {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  });
  const sign = format.formatToParts(1).find(({ type }) => type === 'currency')?.value;
  return sign === code ? undefined : sign;
}

function listing({ code, currency, digits }) {
  const country = code.slice(0, 2);
  const { issuer, flag } = UNIONS[code] ?? {
    issuer: countries.of(country),
    flag: country.toLowerCase(),
  };
  const name = currency.trim();
  const [sign, alias] = [signOf(code), commonNames.of(code)];
  return {
    issuer,
    name,
    decimals: digits,
    image_url: `${FLAGS}/${flag}.svg`,
    ...(sign && { sign }),
    ...(alias && alias !== name && { alias }),
  };
}

/**
 * The money of every country, by lower-case ISO 4217 code: without funds, metals and units of account, which no
 * country pays with.
 */
export function fiatListings() {
  const used = new Set(Object.values(countryToCurrency));
  return Object.fromEntries(
    [...iso.data, ...ADDED]
      .filter(({ code }) => used.has(code) && !WITHDRAWN.has(code))
      .sort((one, other) => (one.code < other.code ? -1 : 1))
      .map((entry) => [entry.code.toLowerCase(), listing(entry)]),
  );
}

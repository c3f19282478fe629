/** Token that the account sells. */
export interface TransakToken {
  symbol: string;
  network: string;
  chainId: number;
  /** Null is the native currency. */
  contract: string | null;
  decimals: number;
  /** One whole token in US dollars. */
  usdPrice: number;
  isSuspended?: boolean;
  kycCountriesNotSupported?: string[];
  /** Fiats, each with a method, for which it is not sold. */
  fiatCurrenciesNotSupported?: { fiatCurrency: string; paymentMethod: string }[];
}

interface Option {
  id: string;
  min: number;
  max: number;
  isActive?: boolean;
  countries?: string[];
}

interface Fiat {
  /** Units for a US dollar. */
  perUsd: number;
  countries: string[];
  options: Option[];
}

const card = { id: 'credit_debit_card', min: 5, max: 3_000 };
const apple = { id: 'apple_pay', min: 5, max: 3_000 };
const google = { id: 'google_pay', min: 30, max: 1_500 };

export const FIATS: Readonly<Record<string, Fiat>> = {
  USD: {
    perUsd: 1,
    countries: ['US', 'PR'],
    options: [
      card,
      apple,
      google,
      { id: 'pm_wire', min: 1_000, max: 10_000, countries: ['US'] },
      { id: 'pm_cash_app', min: 5, max: 500, isActive: false },
    ],
  },
  EUR: {
    perUsd: 0.92,
    countries: ['DE', 'FR', 'XX'],
    options: [card, { id: 'sepa_bank_transfer', min: 30, max: 20_000 }],
  },
  BRL: { perUsd: 5.4, countries: ['BR'], options: [{ id: 'pm_pix', min: 50, max: 15_000 }] },
};

export const optionOf = (fiat: string, id: string): Option | undefined =>
  FIATS[fiat]?.options.find((option) => option.id === id && option.isActive !== false);

const optionItem = (symbol: string, { id, min, max, isActive = true, countries }: Option) => ({
  id,
  name: id,
  processingTime: '1-3 minutes',
  limitCurrency: symbol,
  isActive,
  minAmount: min,
  maxAmount: max,
  defaultAmount: 300,
  isConverted: true,
  isPayOutAllowed: false,
  ...(countries && { supportedCountryCode: countries }),
});

export const fiatItems = (): object[] =>
  Object.entries(FIATS).map(([symbol, { countries, options }]) => ({
    symbol,
    name: symbol,
    supportingCountries: countries,
    isAllowed: true,
    isPayOutAllowed: false,
    roundOff: 2,
    paymentOptions: options.map((option) => optionItem(symbol, option)),
  }));

export const tokenItem = (token: TransakToken) => ({
  coinId: token.symbol.toLowerCase(),
  symbol: token.symbol,
  uniqueId: `${token.symbol}${token.network}`,
  decimals: token.decimals,
  address: token.contract,
  isAllowed: true,
  isSuspended: token.isSuspended ?? false,
  isPayInAllowed: false,
  isStable: token.usdPrice === 1,
  kycCountriesNotSupported: token.kycCountriesNotSupported ?? [],
  network: {
    name: token.network,
    chainId: String(token.chainId),
    fiatCurrenciesNotSupported: token.fiatCurrenciesNotSupported ?? [],
  },
});

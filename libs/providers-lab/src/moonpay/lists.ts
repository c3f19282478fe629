/** Token that the account sells. */
export interface SoldToken {
  /** MoonPay's code, such as `usdc_base`. */
  code: string;
  chainId: number;
  /** Null is the native currency. */
  contract: string | null;
  decimals: number;
  /** One whole token in US dollars. */
  usdPrice: number;
  notAllowedCountries?: string[];
  notAllowedUSStates?: string[];
  isSuspended?: boolean;
}

/** Units of each fiat for a US dollar, and limits of purchases in it. */
export const FIATS: Readonly<Record<string, { perUsd: number; min: number; max: number }>> = {
  usd: { perUsd: 1, min: 20, max: 30_000 },
  eur: { perUsd: 0.92, min: 20, max: 28_000 },
  gbp: { perUsd: 0.79, min: 20, max: 24_000 },
  brl: { perUsd: 5.4, min: 100, max: 150_000 },
};

export const METHODS: ReadonlySet<string> = new Set([
  'credit_debit_card',
  'apple_pay',
  'google_pay',
  'ach_bank_transfer',
  'sepa_bank_transfer',
  'gbp_bank_transfer',
  'pix_instant_payment',
  'paypal',
  'venmo',
  'revolut_pay',
  'moonpay_balance',
]);

export const currencyItem = ({ code, chainId, contract, decimals, ...rest }: SoldToken) => ({
  id: `id-of-${code}`,
  type: 'crypto',
  name: code,
  code,
  precision: Math.min(decimals, 8),
  decimals,
  minBuyAmount: null,
  maxBuyAmount: null,
  isSuspended: rest.isSuspended ?? false,
  isSupportedInUS: true,
  notAllowedUSStates: rest.notAllowedUSStates ?? [],
  notAllowedCountries: rest.notAllowedCountries ?? [],
  supportsTestMode: true,
  supportsLiveMode: true,
  metadata: {
    contractAddress: contract,
    chainId: String(chainId),
    networkCode: `chain_${chainId}`,
  },
});

export const fiatItem = (code: string, { min, max }: { min: number; max: number }) => ({
  id: `id-of-${code}`,
  type: 'fiat',
  name: code,
  code,
  precision: 2,
  minBuyAmount: min,
  maxBuyAmount: max,
  isSellSupported: true,
});

const country = (alpha2: string, alpha3: string, isBuyAllowed: boolean, states?: object[]) => ({
  alpha2,
  alpha3,
  name: alpha3,
  isAllowed: true,
  isBuyAllowed,
  isSellAllowed: isBuyAllowed,
  supportedDocuments: ['passport'],
  ...(states && { states }),
});

const state = (code: string, isBuyAllowed: boolean) => ({
  code,
  name: code,
  isAllowed: true,
  isBuyAllowed,
  isSellAllowed: isBuyAllowed,
});

export const COUNTRIES = [
  country('US', 'USA', true, [state('CA', true), state('NY', true), state('VI', false)]),
  country('CA', 'CAN', true, [state('ON', true)]),
  country('DE', 'DEU', true),
  country('GB', 'GBR', true),
  country('BR', 'BRA', true),
  country('CU', 'CUB', false),
];

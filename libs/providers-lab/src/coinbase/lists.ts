/** Token that Coinbase sells on one network. */
export interface CoinbaseToken {
  symbol: string;
  /** Coinbase's name of the network, such as `base`. */
  network: string;
  /** Chain id, or empty for a network without one. */
  chainId: number | '';
  /** Null is the native currency. */
  contract: string | null;
  decimals: number;
  /** One whole token in US dollars. */
  usdPrice: number;
  /** Places without it, such as `DE` or `US-NY`. */
  notSoldIn?: string[];
}

export interface Limits {
  min: number;
  max: number;
}

/** Units of each fiat for a US dollar, and limits by method. */
export const FIATS: Readonly<
  Record<string, { perUsd: number; limits: Readonly<Record<string, Limits>> }>
> = {
  USD: {
    perUsd: 1,
    limits: {
      CARD: { min: 5, max: 7_500 },
      ACH_BANK_ACCOUNT: { min: 10, max: 25_000 },
      APPLE_PAY: { min: 5, max: 500 },
      PAYPAL: { min: 5, max: 1_000 },
      FIAT_WALLET: { min: 1, max: 25_000 },
      CRYPTO_ACCOUNT: { min: 1, max: 25_000 },
    },
  },
  EUR: {
    perUsd: 0.92,
    limits: {
      CARD: { min: 5, max: 6_900 },
      FIAT_WALLET: { min: 1, max: 23_000 },
      CRYPTO_ACCOUNT: { min: 1, max: 23_000 },
    },
  },
};

/** Names of methods in the v2 API, each with its v1 name. */
export const V1_METHODS: Readonly<Record<string, string>> = {
  CARD: 'CARD',
  ACH: 'ACH_BANK_ACCOUNT',
  APPLE_PAY: 'APPLE_PAY',
  PAYPAL: 'PAYPAL',
  FIAT_WALLET: 'FIAT_WALLET',
  CRYPTO_WALLET: 'CRYPTO_ACCOUNT',
};

const COUNTRIES: readonly { id: string; methods: string[]; subdivisions: string[] }[] = [
  {
    id: 'US',
    methods: ['CARD', 'ACH_BANK_ACCOUNT', 'APPLE_PAY', 'PAYPAL', 'FIAT_WALLET', 'CRYPTO_ACCOUNT'],
    subdivisions: ['CA', 'NY'],
  },
  { id: 'DE', methods: ['CARD', 'FIAT_WALLET', 'CRYPTO_ACCOUNT'], subdivisions: [] },
  { id: 'GB', methods: ['CARD', 'FIAT_WALLET', 'CRYPTO_ACCOUNT'], subdivisions: [] },
];

/** Code of the customer's place, such as `DE` or `US-NY`; undefined where Coinbase serves nobody. */
export function placeOf(
  country: string | null | undefined,
  subdivision: string | null | undefined,
): string | undefined {
  const served = COUNTRIES.find(({ id }) => id === country);
  if (!served) return undefined;
  if (served.subdivisions.length === 0) return served.id;
  return served.subdivisions.includes(subdivision ?? '')
    ? `${served.id}-${subdivision}`
    : undefined;
}

export const isSoldIn = ({ notSoldIn = [] }: CoinbaseToken, place: string): boolean =>
  !notSoldIn.includes(place);

/** Answer of the config API. */
export const configAnswer = () => ({
  countries: COUNTRIES.map(({ id, methods, subdivisions }) => ({
    id,
    payment_methods: methods.map((method) => ({ id: method })),
    subdivisions,
  })),
});

/** Answer of the options API for customers in one place. */
export function optionsAnswer(tokens: readonly CoinbaseToken[], place: string) {
  const { methods = [] } = COUNTRIES.find(({ id }) => id === place.slice(0, 2)) ?? {};
  const sold = tokens.filter((token) => isSoldIn(token, place));
  return {
    payment_currencies: Object.entries(FIATS)
      .filter(([code]) => code === 'USD' || !place.startsWith('US'))
      .map(([code, { limits }]) => ({
        id: code,
        limits: Object.entries(limits)
          .filter(([id]) => methods.includes(id))
          .map(([id, { min, max }]) => ({ id, min: min.toFixed(2), max: max.toFixed(2) })),
        icon_url: '',
      })),
    purchase_currencies: [...new Set(sold.map(({ symbol }) => symbol))].map((symbol) => ({
      id: `id-of-${symbol}`,
      name: symbol,
      symbol,
      icon_url: '',
      networks: sold
        .filter((token) => token.symbol === symbol)
        .map(({ network, chainId, contract }) => ({
          name: network,
          display_name: network,
          chain_id: String(chainId),
          contract_address: contract ?? '',
          icon_url: '',
        })),
    })),
  };
}

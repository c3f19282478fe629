interface FiatListing {
  name: string;
  issuer: string;
  sign: string;
  decimals: number;
  /** ISO 3166 code of the flag that stands for the currency. */
  flag: string;
}

/** The fiat currencies that prices and onramps can be in, by lower-case ISO 4217 code. */
export const fiats: Readonly<Record<string, FiatListing>> = {
  usd: { name: 'US Dollar', issuer: 'Federal Reserve', sign: '$', decimals: 2, flag: 'us' },
  eur: { name: 'Euro', issuer: 'European Central Bank', sign: '€', decimals: 2, flag: 'eu' },
  gbp: { name: 'Pound Sterling', issuer: 'Bank of England', sign: '£', decimals: 2, flag: 'gb' },
  chf: { name: 'Swiss Franc', issuer: 'Swiss National Bank', sign: 'Fr.', decimals: 2, flag: 'ch' },
  cad: { name: 'Canadian Dollar', issuer: 'Bank of Canada', sign: 'C$', decimals: 2, flag: 'ca' },
  aud: {
    name: 'Australian Dollar',
    issuer: 'Reserve Bank of Australia',
    sign: 'A$',
    decimals: 2,
    flag: 'au',
  },
  jpy: { name: 'Yen', issuer: 'Bank of Japan', sign: '¥', decimals: 0, flag: 'jp' },
  brl: {
    name: 'Brazilian Real',
    issuer: 'Banco Central do Brasil',
    sign: 'R$',
    decimals: 2,
    flag: 'br',
  },
  mxn: { name: 'Mexican Peso', issuer: 'Banco de México', sign: 'MX$', decimals: 2, flag: 'mx' },
  inr: {
    name: 'Indian Rupee',
    issuer: 'Reserve Bank of India',
    sign: '₹',
    decimals: 2,
    flag: 'in',
  },
};

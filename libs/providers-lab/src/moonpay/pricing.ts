import { cents, tokenText } from '../server/amounts.js';

/** Shares and amounts of a purchase, as JSON numbers: MoonPay's API has no decimal strings. */
export interface Purchase {
  baseCurrencyAmount: number;
  quoteCurrencyAmount: number;
  feeAmount: number;
  extraFeeAmount: number;
  networkFeeAmount: number;
  totalAmount: number;
}

const FEE = 0.045;
const LEAST_FEE = 3.99;
const NETWORK_FEE = 0.1;

const tokens = (amount: number, decimals: number): number => Number(tokenText(amount, decimals));

/** Splits a total, fees included. `price` is one token in the fiat. */
export function priceOfTotal(total: number, price: number, decimals: number): Purchase {
  const feeAmount = cents(Math.max(total * FEE, LEAST_FEE));
  const base = cents(total - feeAmount - NETWORK_FEE);
  return {
    baseCurrencyAmount: base,
    quoteCurrencyAmount: tokens(base / price, decimals),
    feeAmount,
    extraFeeAmount: 0,
    networkFeeAmount: NETWORK_FEE,
    totalAmount: cents(base + feeAmount + NETWORK_FEE),
  };
}

/** Adds the fees to an amount, as MoonPay does unless they are included. */
export const priceOfBase = (base: number, price: number, decimals: number): Purchase =>
  priceOfTokens(tokens(base / price, decimals), price);

/** Prices an exact amount of tokens. */
export function priceOfTokens(amount: number, price: number): Purchase {
  const base = cents(amount * price);
  const feeAmount = cents(Math.max((base / (1 - FEE)) * FEE, LEAST_FEE));
  return {
    baseCurrencyAmount: base,
    quoteCurrencyAmount: amount,
    feeAmount,
    extraFeeAmount: 0,
    networkFeeAmount: NETWORK_FEE,
    totalAmount: cents(base + feeAmount + NETWORK_FEE),
  };
}

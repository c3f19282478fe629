import { cents } from '../server/amounts.js';

/** Parts of a purchase. */
export interface Purchase {
  total: number;
  subtotal: number;
  fee: number;
  networkFee: number;
  /** Whole tokens. */
  bought: number;
}

const FEE = 0.025;
const NETWORK_FEE = 0.09;

/** Splits a total, fees included. `price` is one token in the fiat. */
export function priceOfTotal(total: number, price: number): Purchase {
  const fee = cents(total * FEE);
  const subtotal = cents(total - fee - NETWORK_FEE);
  return { total, subtotal, fee, networkFee: NETWORK_FEE, bought: subtotal / price };
}

/** Prices an exact amount of tokens. */
export function priceOfTokens(bought: number, price: number): Purchase {
  const subtotal = cents(bought * price);
  const total = cents((subtotal + NETWORK_FEE) / (1 - FEE));
  const fee = cents(total - subtotal - NETWORK_FEE);
  return { total, subtotal, fee, networkFee: NETWORK_FEE, bought };
}

import { cents } from '../server/amounts.js';

/** Amounts of a purchase: fees come on top of the source amount. */
export interface Price {
  sourceAmount: number;
  networkFee: number;
  transactionFee: number;
  total: number;
}

const NETWORK_FEE = 0.17;
const LEAST_FEE = 0.5;

/** Adds the fees to a source amount. `feeShare` is the transaction fee's share of it. */
export function priceOf(sourceAmount: number, feeShare: number): Price {
  const transactionFee = cents(Math.max(sourceAmount * feeShare, LEAST_FEE));
  return {
    sourceAmount: cents(sourceAmount),
    networkFee: NETWORK_FEE,
    transactionFee,
    total: cents(sourceAmount + transactionFee + NETWORK_FEE),
  };
}

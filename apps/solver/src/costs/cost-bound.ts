const WHOLE_NATIVE = 10n ** 18n;
/** A fill and a claim may cost half of the fee each. */
const TRANSACTIONS = 2n;

export interface CostTerms {
  /** Fee of the order, in the asset's smallest units. */
  fee: bigint;
  /** Value of a whole native coin of the chain, in the asset's smallest units; undefined where it is not configured. */
  nativeValue: bigint | undefined;
  /** Bound without that value, in wei. */
  maxCost: bigint;
}

/** Returns the most that an order's fill, or its claim, may cost, in wei. */
export const costBound = ({ fee, nativeValue, maxCost }: CostTerms): bigint =>
  nativeValue === undefined ? maxCost : (fee * WHOLE_NATIVE) / (TRANSACTIONS * nativeValue);

import type { Medians } from '@bascule/chain';
import type { WithdrawalRecord } from '../life-cycle/withdrawal-record.js';

/** Submissions of a payment that may cost more than their fees repay. */
export const MAX_SUBSIDISED = 3;
/** Most that a subsidised one may cost, replacements included, in multiples of its whole gas at the price of its time. */
const MAX_COST_FACTOR = 3n;

/** Prices that nodes report. */
export interface Prices {
  /**
   * Wei for one unit of gas, of two nodes the higher one: with fees below the true price, a transaction would hold up its
   * key's later ones.
   */
  gasPrice: bigint;
  /** Fee of a rollup for the transaction's data, in wei: of two nodes the lower one refuses, and the higher one bounds. */
  dataFee: Medians;
}

type Terms = Pick<WithdrawalRecord, 'maxCostWei' | 'repaidWei' | 'reducedFeeRoot'>;

export interface Circumstances {
  /** Earlier submissions of withdrawals of the payment. */
  submissions: number;
  prices: Prices;
  /** Gas that the full fee repays. */
  paidGas: bigint;
  /** Largest gas limit of a subsidised submission. */
  subsidisedGas: bigint;
}

export interface SubmissionBounds {
  isSubsidised: boolean;
  /** Largest gas limit. */
  maxGas: bigint;
  /** Gas that the bound of the cost pays for now at the higher and the lower data fee; null for a subsidised submission. */
  affordable: { least: bigint; most: bigint } | null;
  /** Most wei that any attempt with this gas limit may cost. */
  maxCost: (gasLimit: bigint) => bigint;
}

/**
 * Bounds a submission: the first few of a payment, and the one with a reduced fee, may cost more than the fee repays. All
 * others cost at most that, as do all withdrawals whose fee has to repay all gas.
 */
export function submissionBounds(
  terms: Terms,
  { submissions, prices, paidGas, subsidisedGas }: Circumstances,
): SubmissionBounds {
  if (isSubsidised(terms, submissions)) {
    return {
      ...{ isSubsidised: true, maxGas: subsidisedGas, affordable: null },
      maxCost: (limit) => MAX_COST_FACTOR * highestCost(prices, limit),
    };
  }
  // Withdrawals of older versions have neither: the present price counts.
  const repaid = terms.maxCostWei ?? terms.repaidWei ?? highestCost(prices, paidGas);
  const affordable = {
    least: gasFor(repaid - prices.dataFee.higher, prices),
    most: gasFor(repaid - prices.dataFee.lower, prices),
  };
  return {
    ...{ isSubsidised: false, maxGas: paidGas, affordable },
    maxCost: () => repaid,
  };
}

/** A chain of retries has one reduced fee, so that it needs no further bound. */
const isSubsidised = ({ maxCostWei, reducedFeeRoot }: Terms, submissions: number): boolean =>
  maxCostWei === null && (reducedFeeRoot !== null || submissions < MAX_SUBSIDISED);

const highestCost = ({ gasPrice, dataFee }: Prices, gas: bigint): bigint =>
  gasPrice * gas + dataFee.higher;

/** Gas that costs this much at the present price. */
function gasFor(wei: bigint, { gasPrice }: Prices): bigint {
  if (wei < 0n) return 0n;
  return wei / (gasPrice > 0n ? gasPrice : 1n);
}

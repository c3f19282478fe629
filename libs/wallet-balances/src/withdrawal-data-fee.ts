import { maxDataFeeOf } from '@bascule/chain';
import type { Chain } from '@bascule/chain';

/** Size of a withdrawal with three legs declared and a few tokens, or of a refund with its attestations; rounded up. */
const TRANSACTION_BYTES = 3_000;

/** Highest fee of a rollup for a withdrawal's data, in wei; 0 on other chains. */
export const withdrawalDataFee = (chain: Chain): Promise<bigint> =>
  maxDataFeeOf(chain, TRANSACTION_BYTES);

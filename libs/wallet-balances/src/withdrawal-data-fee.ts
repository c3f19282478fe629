import { maxDataFeesOf } from '@bascule/chain';
import type { Chain, Medians } from '@bascule/chain';

/** Size of a withdrawal with three legs declared and a few tokens, or of a refund with its attestations; rounded up. */
const TRANSACTION_BYTES = 3_000;

/** Highest fee of a rollup for a withdrawal's or a refund's data, in wei: of two nodes both. 0 on other chains. */
export const withdrawalDataFees = (chain: Chain): Promise<Medians> =>
  maxDataFeesOf(chain, TRANSACTION_BYTES);

/** Data fee that a withdrawal is charged, in wei. */
export const withdrawalDataFee = async (chain: Chain): Promise<bigint> =>
  (await withdrawalDataFees(chain)).higher;
